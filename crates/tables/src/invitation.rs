//! Invitations: the address at which a friend's browser finds a table, as text and as a QR code.

use super::guard::is_known;
use super::language::Text;
use qrcode::{Color, EcLevel, QrCode};
use serde::Serialize;
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

/// The ways in which other devices reach this server.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// The address that the server listens on.
    pub bound: SocketAddr,
    /// Names of proxies in front of it.
    pub names: Arc<[String]>,
}

/// The link for a friend.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Invitation {
    link: String,
    /// The reason why the link may not work on another device.
    warning: Option<Text>,
    /// The link as a QR code; none if it is too long for one.
    code: Option<Code>,
}

/// A QR code, to be drawn on a white ground.
#[derive(Clone, Debug, Serialize)]
struct Code {
    /// Modules of each side, without the margin.
    size: usize,
    /// The dark modules as a path of SVG.
    path: String,
}

impl Reach {
    /// The invitation to a path of this server. `origin` is that of the page that asks, such as
    /// `http://127.0.0.1:8080`.
    pub(super) fn invitation(&self, origin: &str, path: &str) -> Invitation {
        let (origin, warning) = match self.origin(origin) {
            Ok(origin) => (origin, None),
            // The link is shown all the same: a friend may sit at this machine.
            Err(warning) => (
                format!("http://localhost:{}", self.bound.port()),
                Some(Text::of(warning)),
            ),
        };
        let link = format!("{origin}{path}");
        Invitation {
            code: code(&link),
            link,
            warning,
        }
    }

    /// The origin of links that work on other devices, or the text that says why there is none.
    fn origin(&self, asked: &str) -> Result<String, &'static str> {
        let host = ["http://", "https://"].iter();
        let mut host = host.filter_map(|scheme| asked.strip_prefix(scheme));
        // A page that came over the network shows by which name or address others get in, a proxy's too.
        if let Some(host) = host.next()
            && is_known(host, &self.names)
            && !is_own(host)
        {
            return Ok(asked.to_owned());
        }
        let ip = match self.bound.ip() {
            ip if ip.is_loopback() => return Err("invite-local"),
            ip if ip.is_unspecified() => in_network().ok_or("invite-unknown")?,
            ip => ip,
        };
        Ok(format!("http://{}", SocketAddr::new(ip, self.bound.port())))
    }
}

/// Whether this host is a name of the own machine that no other machine can use.
fn is_own(host: &str) -> bool {
    let name = super::guard::name_of(host);
    let ip = name.trim_matches(['[', ']']).parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
}

/// The address of this machine in its network. Connecting a UDP socket sends nothing: the system only chooses the
/// way, and with it the own address.
fn in_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address for documentation (RFC 5737), which stands for any address outside.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_loopback() && !ip.is_unspecified()).then_some(ip)
}

/// The QR code of a text.
fn code(text: &str) -> Option<Code> {
    // Level M can be read with 15 % of the modules damaged, as on a screen that reflects.
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let size = code.width();
    let mut path = String::new();
    for (row, colors) in code.to_colors().chunks(size).enumerate() {
        let mut column = 0;
        for run in colors.chunk_by(Color::eq) {
            // Each run of dark modules in a row is one rectangle.
            if run[0] == Color::Dark {
                let wide = run.len();
                let _ = write!(path, "M{column} {row}h{wide}v1h-{wide}z");
            }
            column += run.len();
        }
    }
    Some(Code { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(bound: &str, names: &[&str]) -> Reach {
        Reach {
            bound: bound.parse().unwrap(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    /// A page on this machine is told the address for others; a page that came from elsewhere is believed.
    #[test]
    fn links_are_for_other_devices() {
        let local = reach("127.0.0.1:80", &["games.example"]);
        let here = "http://localhost:80";
        assert_eq!(local.origin(here), Err("invite-local"));
        assert_eq!(local.origin("http://[::1]:80"), Err("invite-local"));
        let proxy = "https://games.example";
        assert_eq!(local.origin(proxy).as_deref(), Ok(proxy));
        assert_eq!(local.origin("https://evil.example"), Err("invite-local"));
        let open = reach("192.0.2.7:81", &[]);
        assert_eq!(open.origin(here).as_deref(), Ok("http://192.0.2.7:81"));
        let other = "http://192.0.2.8:99";
        assert_eq!(open.origin(other).as_deref(), Ok(other));
        let invitation = local.invitation(here, "/table/1/2");
        assert_eq!(invitation.link, "http://localhost:80/table/1/2");
        assert_eq!(invitation.warning, Some(Text::of("invite-local")));
    }

    /// The finder pattern in the first rows: a square of 7 dark modules with a light ring in it.
    #[test]
    fn the_code_has_its_corners() {
        let code =
            code("http://192.0.2.7:8080/table/0123456789abcdef/0123456789abcdef0123456789abcdef")
                .unwrap();
        let last = code.size - 7;
        assert!(code.path.starts_with("M0 0h7v1h-7z"), "{}", code.path);
        for part in [
            "M0 1h1v1h-1zM6 1h1v1h-1z",
            &format!("M0 {}h7v1h-7z", last + 6),
            &format!("M{last} 6h7v1h-7z"),
        ] {
            assert!(code.path.contains(part), "{part}: {}", code.path);
        }
    }
}
