# All programs in an image that has nothing else:
#
#   docker build -t contest-players .
#   docker run --rm -i contest-players runme < tests/data/cartagena/interface-example.txt
#   docker run --rm contest-players contest cartagena match builtin:runme,nodes=50 builtin:random --games 2
#
# Programs that take part in a contest need a system of their own to run in, shells and interpreters: for a
# tournament build on an image that has them, with `COPY --from=contest-players / /usr/local/`.
FROM rust:1-slim AS build
RUN rustup target add "$(uname -m)-unknown-linux-musl"
WORKDIR /source
COPY . .
RUN scripts/release "$(uname -m)-unknown-linux-musl" && mkdir /image && \
    tar -xzf dist/contest-players-*.tar.gz -C /image --strip-components=1 && \
    cd /image && mkdir bin && mv contest lab runme challenge eights hearts bin/ && \
    mkdir -p share/man/man1 share/completions share/licenses && mv man/* share/man/man1/ && \
    mv completions/* share/completions/ && mv LICENSE-* THIRD-PARTY-LICENSES share/licenses/ && \
    rmdir man completions && mkdir -m 1777 tmp

FROM scratch
COPY --from=build /image /
ENV PATH=/bin RUNME_SUPPORT=none
WORKDIR /tmp
USER 65534:65534
CMD ["contest", "--help"]
