//! Opens pages in a headless browser and returns them as they are after their scripts have run. Tests that
//! use a browser pass without doing anything where there is none.

use super::programs::Command;
use std::path::Path;

/// The name of an installed Chromium, if there is one. The one without windows starts in a third of the time.
pub fn browser() -> Option<&'static str> {
    let names = [
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ];
    let works = |name: &&str| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    let found = names.into_iter().find(works);
    if found.is_none() {
        eprintln!("skipped: no Chromium among {names:?}");
    }
    found
}

/// The page after its scripts have run.
pub fn opened(browser: &str, folder: &Path, address: &str) -> String {
    let profile = folder.join("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--virtual-time-budget=5000", "--window-size=1280,900"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}/{address}", folder.display()))
        .output()
        .unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(
        page.contains("data-ready=\"yes\""),
        "no replay: {page:.2000}"
    );
    assert!(!page.contains("data-error"), "a script failed");
    page
}

/// The text that a script left in the page for a test.
pub fn logged(page: &str) -> &str {
    let log = page.split_once("<pre id=\"log\">");
    let (_, log) = log.expect("the driver ended early");
    log.split_once("</pre>").unwrap().0
}

/// Asserts that a browser loads nothing else for the page.
pub fn loads_nothing(page: &str) {
    let page = page.replace("http://www.w3.org/2000/svg", "");
    for trace in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(trace), "{trace}");
    }
}
