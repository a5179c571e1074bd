//! Refuses requests that other pages of the same browser make.
//!
//! Links hold secrets, and this module keeps other pages away from them. A page of another origin may send
//! requests to this server. By a name of its own that points to this machine (DNS rebinding) it could also read
//! the answers. But it cannot choose the headers `Host`, `Origin` and `Sec-Fetch-Site`, which are checked here:
//! see the Fetch standard, *Origin* and *forbidden request-header*, and W3C Fetch Metadata. Names that the host
//! has allowed are those of a proxy in front of this server, which may be reached by HTTPS.

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// Answers a request, or refuses it; `names` are allowed besides addresses.
pub(super) async fn guard(
    State(names): State<Arc<[String]>>,
    request: Request,
    next: Next,
) -> Response {
    match refusal(request.method(), request.headers(), &names) {
        None => next.run(request).await,
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
    }
}

/// The reason to refuse a request with these headers; `None` if it may pass.
fn refusal(method: &Method, headers: &HeaderMap, names: &[String]) -> Option<&'static str> {
    let text = |value: &axum::http::HeaderValue| value.to_str().ok().map(str::to_owned);
    let Some(host) = headers.get(HOST).and_then(text) else {
        return Some("the request has no Host header\n");
    };
    let is_named = is_named(&host, names);
    if !is_known(&host, names) {
        return Some(
            "use the printed address: this server answers to localhost and to names given by --host\n",
        );
    }
    if let Some(origin) = headers.get(ORIGIN) {
        let origin = text(origin);
        let is_own = |scheme| origin == Some(format!("{scheme}://{host}"));
        // A proxy may speak HTTPS with browsers.
        let is_from_here = is_own("http") || (is_named && is_own("https"));
        if !is_from_here {
            return Some("requests of other pages are refused\n");
        }
    }
    // Other pages may link to this server (GET), but only its own pages may change something.
    let site = headers.get("sec-fetch-site").and_then(text);
    let same = site.is_none_or(|site| site == "same-origin" || site == "none");
    (method != Method::GET && !same).then_some("requests of other pages are refused\n")
}

/// Whether the server answers to this host: an address, or one of the names.
pub(super) fn is_known(host: &str, names: &[String]) -> bool {
    is_named(host, names) || is_address(host)
}

fn is_named(host: &str, names: &[String]) -> bool {
    let mut names = names.iter();
    names.any(|name| name_of(host).eq_ignore_ascii_case(name))
}

/// Whether this is an address, or this machine's own name: nobody can make these point to another machine.
fn is_address(host: &str) -> bool {
    let name = name_of(host);
    if let Some(inner) = name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        return inner.parse::<Ipv6Addr>().is_ok();
    }
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

/// The part before the port.
pub(super) fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(method: Method, headers: &[(&'static str, &str)]) -> bool {
        let headers = headers.iter().map(|&(name, value)| {
            let name = axum::http::HeaderName::from_static(name);
            (name, value.parse().unwrap())
        });
        refusal(&method, &headers.collect(), &["games.example".to_owned()]).is_some()
    }

    /// Requests must name the server by an address, by `localhost` or by an allowed name. Otherwise a foreign
    /// page whose name leads here could use the server.
    #[test]
    fn addresses_are_answered_and_names_are_not() {
        let get = |host| refused(Method::GET, &[("host", host)]);
        for host in "127.0.0.1:8080 localhost LOCALHOST:1 [::1]:80 192.168.1.7:8080 games.example \
                     Games.Example:8443"
            .split(' ')
        {
            assert!(!get(host), "{host}");
        }
        for host in "evil.example evil.example:8080 127.0.0.1.evil.example localhost.evil \
                     games.example.evil evil.games.example [x]"
            .split(' ')
        {
            assert!(get(host), "{host}");
        }
        assert!(get(""));
        assert!(refused(Method::GET, &[]));
    }

    #[test]
    fn a_proxy_may_speak_https() {
        let host = ("host", "games.example");
        let from = |origin| refused(Method::POST, &[host, ("origin", origin)]);
        assert!(!from("https://games.example"));
        assert!(!from("http://games.example"));
        assert!(from("https://evil.example"));
        let address = ("host", "127.0.0.1:8080");
        let secure = ("origin", "https://127.0.0.1:8080");
        assert!(
            refused(Method::POST, &[address, secure]),
            "nothing here speaks it"
        );
    }

    /// Pages of other origins cannot send actions. They may link here.
    #[test]
    fn other_pages_can_do_nothing() {
        let host = ("host", "127.0.0.1:8080");
        let post = |more: &[_]| refused(Method::POST, &[&[host][..], more].concat());
        let own = ("origin", "http://127.0.0.1:8080");
        assert!(!post(&[own, ("sec-fetch-site", "same-origin")]));
        assert!(!post(&[]), "no browser");
        for origin in ["http://evil.example", "null", "http://127.0.0.1:9090"] {
            assert!(post(&[("origin", origin)]), "{origin}");
        }
        assert!(post(&[("sec-fetch-site", "same-site")]));
        // A link.
        let link = ("sec-fetch-site", "cross-site");
        assert!(!refused(Method::GET, &[host, link]));
    }
}
