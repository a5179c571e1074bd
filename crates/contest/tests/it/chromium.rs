//! Controls a Chromium over pipes by the Chrome DevTools Protocol: opens pages, clicks, taps, types, and
//! waits for conditions.

use super::programs::{Command, Process, within};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;

/// How long a page may take for anything, in milliseconds. It is long because the machine may be busy.
const PATIENCE: u32 = 120_000;

/// A browser.
pub(super) struct Chromium {
    /// Ends the browser when the test ends, or when the browser has run for too long, so that no test waits
    /// for it for ever.
    _process: Process,
    commands: RefCell<File>,
    answers: RefCell<BufReader<File>>,
    number: Cell<u64>,
    /// Complaints of pages, such as exceptions that no script caught.
    pub(super) complaints: RefCell<Vec<String>>,
    _folder: TempDir,
}

/// Starts a browser; `None` if none is installed.
pub(super) fn chromium() -> Option<Chromium> {
    let program = super::browser::browser()?;
    let folder = tempfile::tempdir().unwrap();
    let pipes = ["commands", "answers"].map(|name| folder.path().join(name));
    for pipe in &pipes {
        mknodat(CWD, pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    }
    let [commands, answers] = &pipes;
    let profile = folder.path().join("profile");
    let process = Command::new("sh")
        .args([
            "-c",
            "program=$1; from=$2; to=$3; shift 3; exec \"$program\" \"$@\" 3<\"$from\" 4>\"$to\"",
            "sh",
        ])
        .arg(program)
        .args([commands, answers])
        .words("--headless=new --no-sandbox --disable-gpu --remote-debugging-pipe")
        .args(["--no-first-run", "--no-startup-window"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let [commands, answers] = pipes;
    let (commands, answers) = within("the browser opens its pipes", || {
        let commands = File::options().write(true).open(commands).unwrap();
        (commands, File::open(answers).unwrap())
    });
    Some(Chromium {
        _process: process,
        commands: RefCell::new(commands),
        answers: RefCell::new(BufReader::new(answers)),
        number: Cell::new(0),
        complaints: RefCell::default(),
        _folder: folder,
    })
}

impl Chromium {
    /// Sends a command and waits for its answer. It is an error if the browser cannot obey, for instance
    /// because the page was left meanwhile.
    fn try_send(
        &self,
        session: Option<&str>,
        method: &str,
        params: &Value,
    ) -> Result<Value, Value> {
        let number = self.number.get() + 1;
        self.number.set(number);
        let mut command = json!({ "id": number, "method": method, "params": params });
        if let Some(session) = session {
            command["sessionId"] = json!(session);
        }
        write!(self.commands.borrow_mut(), "{command}\0").unwrap();
        loop {
            let mut text = Vec::new();
            let read = self.answers.borrow_mut().read_until(0, &mut text).unwrap();
            assert!(read > 0, "the browser has gone");
            text.pop();
            let answer: Value = serde_json::from_slice(&text).unwrap();
            if answer["id"] != number {
                self.note(&answer);
            } else if answer["error"].is_null() {
                return Ok(answer["result"].clone());
            } else {
                return Err(answer["error"].clone());
            }
        }
    }

    fn send(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        self.try_send(session, method, &params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Keeps the complaint if the event is one.
    fn note(&self, event: &Value) {
        let text = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => event["params"]["exceptionDetails"].to_string(),
            Some("Log.entryAdded") if event["params"]["entry"]["level"] == "error" => {
                event["params"]["entry"].to_string()
            }
            _ => return,
        };
        self.complaints.borrow_mut().push(text);
    }

    /// A page of this size. It shares nothing with other pages, like a page in another browser.
    pub(super) fn page(&self, look: &Look) -> Page<'_> {
        let context = self.send(None, "Target.createBrowserContext", json!({}));
        let target = self.send(
            None,
            "Target.createTarget",
            json!({ "url": "about:blank", "browserContextId": context["browserContextId"] }),
        );
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.send(None, "Target.attachToTarget", attach);
        let page = Page {
            browser: self,
            context: context["browserContextId"].clone(),
            session: attached["sessionId"].as_str().unwrap().to_owned(),
        };
        for domain in ["Page", "Runtime", "Log"] {
            page.send(&format!("{domain}.enable"), json!({}));
        }
        page.send(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": look.width, "height": look.height, "deviceScaleFactor": 1, "mobile": look.touch }),
        );
        let touch = json!({ "enabled": look.touch });
        page.send("Emulation.setTouchEmulationEnabled", touch);
        let scheme = if look.dark { "dark" } else { "light" };
        page.send(
            "Emulation.setEmulatedMedia",
            json!({ "features": [
                { "name": "prefers-color-scheme", "value": scheme },
                { "name": "prefers-reduced-motion", "value": "reduce" },
            ] }),
        );
        page
    }
}

/// The size and the look of a page's window.
pub(super) struct Look {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) dark: bool,
    pub(super) touch: bool,
}

impl Look {
    pub(super) const LARGE: Look = Look {
        width: 1440,
        height: 1000,
        dark: false,
        touch: false,
    };
    pub(super) const PHONE: Look = Look {
        width: 390,
        height: 844,
        dark: false,
        touch: true,
    };
}

/// A page of a browser. It is closed when it is dropped, as open pages go on asking and drawing.
pub(super) struct Page<'a> {
    browser: &'a Chromium,
    context: Value,
    session: String,
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        // A test that has failed ends its browser soon.
        if !std::thread::panicking() {
            let context = json!({ "browserContextId": self.context });
            self.browser
                .send(None, "Target.disposeBrowserContext", context);
        }
    }
}

impl Page<'_> {
    fn send(&self, method: &str, params: Value) -> Value {
        self.browser.send(Some(&self.session), method, params)
    }

    /// Goes to an address, and waits until the page's scripts have run.
    pub(super) fn open(&self, address: &str) {
        self.leave("Page.navigate", json!({ "url": address }));
    }

    /// Loads the page again.
    pub(super) fn reload(&self) {
        self.leave("Page.reload", json!({}));
    }

    /// Has the document replaced by another one, and waits until the new one's scripts have run. The old
    /// document still answers until it has gone, so it is marked to tell the two apart.
    fn leave(&self, method: &str, params: Value) {
        self.run("window.left = true");
        let answer = self.send(method, params);
        assert!(answer["errorText"].is_null(), "{method}: {answer}");
        self.until("!window.left && document.readyState === 'complete'");
    }

    /// The value of an expression. If it is a promise, waits for its result.
    pub(super) fn run(&self, script: &str) -> Value {
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = self.send("Runtime.evaluate", params);
        let failed = &answer["exceptionDetails"];
        assert!(failed.is_null(), "{script}: {failed}");
        answer["result"]["value"].clone()
    }

    /// Waits until a condition holds.
    pub(super) fn until(&self, condition: &str) {
        if self.within(PATIENCE, condition) {
            return;
        }
        let page = self
            .run("document.readyState + ' ' + location.href + '\\n' + document.body?.innerText");
        let complaints = self.browser.complaints.borrow();
        panic!(
            "in vain: {condition}\n{complaints:?}\n{}",
            page.as_str().unwrap_or_default()
        );
    }

    /// Waits until a condition holds, without a limit as long as the value of `progress` keeps changing. This
    /// is for work that takes longer on a busy machine.
    pub(super) fn until_going_on(&self, condition: &str, progress: &str) {
        let mut before = Value::Null;
        while !self.within(PATIENCE, condition) {
            let now = self.run(progress);
            assert_ne!(before, now, "no progress, and in vain: {condition}");
            before = now;
        }
    }

    /// Whether a condition becomes true within `patience` milliseconds. If the page is left meanwhile, the
    /// next page is asked.
    pub(super) fn within(&self, patience: u32, condition: &str) -> bool {
        let script = format!(
            "new Promise(done => {{ const start = performance.now(); const look = () => {{ \
             if ({condition}) done(true); else if (performance.now() - start > {patience}) done(false); \
             else setTimeout(look, 15); }}; look(); }})"
        );
        let params = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let asked = |()| {
            self.browser
                .try_send(Some(&self.session), "Runtime.evaluate", &params)
                .ok()
        };
        let answer = std::iter::repeat_n((), 10).find_map(asked).unwrap();
        let failed = &answer["exceptionDetails"];
        assert!(failed.is_null(), "{condition}: {failed}");
        answer["result"]["value"] == true
    }

    /// The middle of the first element that a selector finds, once it is visible.
    fn place(&self, selector: &str) -> (f64, f64) {
        let selector = json!(selector);
        self.until(&format!(
            "(() => {{ const node = document.querySelector({selector}); return node && node.getClientRects().length > 0; }})()"
        ));
        let place = self.run(&format!(
            "(() => {{ const node = document.querySelector({selector}); \
             node.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }}); \
             const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Clicks with the mouse.
    pub(super) fn click(&self, selector: &str) {
        self.touch(selector, |(x, y)| {
            for kind in ["mousePressed", "mouseReleased"] {
                self.send(
                    "Input.dispatchMouseEvent",
                    json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 }),
                );
            }
        });
    }

    /// Touches an element until it has been clicked: one that is drawn anew or moved between the look for its place and
    /// the release gets no click. A page that is left for another one was clicked.
    fn touch(&self, selector: &str, at: impl Fn((f64, f64))) {
        let node = json!(selector);
        for _ in 0..20 {
            let place = self.place(selector);
            self.run(&format!(
                "window.isClicked = false; \
                 addEventListener('click', event => {{ window.isClicked ||= event.target.closest({node}) !== null; }}, {{ capture: true }})"
            ));
            at(place);
            if self.within(1_000, "window.isClicked !== false") {
                return;
            }
        }
        panic!("{selector} cannot be clicked");
    }

    /// Drags the first element that one selector finds onto the one that the other selector finds during the
    /// drag.
    pub(super) fn drag(&self, from: &str, to: &str) {
        let mouse = |kind: &str, (x, y): (f64, f64)| {
            self.send(
                "Input.dispatchMouseEvent",
                json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 }),
            );
        };
        let (x, y) = self.place(from);
        mouse("mouseMoved", (x, y));
        mouse("mousePressed", (x, y));
        mouse("mouseMoved", (x + 20.0, y + 20.0));
        let end = self.place(to);
        mouse("mouseMoved", end);
        mouse("mouseReleased", end);
    }

    /// Types into the element that has the focus.
    pub(super) fn type_text(&self, text: &str) {
        self.send("Input.insertText", json!({ "text": text }));
    }

    /// Taps with a finger.
    pub(super) fn tap(&self, selector: &str) {
        self.touch(selector, |(x, y)| {
            let at = json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] });
            self.send("Input.dispatchTouchEvent", at);
            let end = json!({ "type": "touchEnd", "touchPoints": [] });
            self.send("Input.dispatchTouchEvent", end);
        });
    }

    /// Presses a key: a letter, or `Tab`, `Enter`, `Escape`, `ArrowLeft`, `ArrowRight`.
    pub(super) fn press(&self, key: &str) {
        let (code, number) = match key {
            "Tab" => ("Tab".to_owned(), 9),
            "Enter" => ("Enter".to_owned(), 13),
            "Escape" => ("Escape".to_owned(), 27),
            "ArrowLeft" => (key.to_owned(), 37),
            "ArrowRight" => (key.to_owned(), 39),
            letter => (
                format!("Key{}", letter.to_uppercase()),
                letter.to_uppercase().as_bytes()[0],
            ),
        };
        let text = match key {
            "Enter" => "\r",
            "Tab" | "Escape" | "ArrowLeft" | "ArrowRight" => "",
            letter => letter,
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            self.send(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number, "text": text }),
            );
        }
    }

    /// Presses Tab until an element that fits the selector has the focus.
    pub(super) fn tab_to(&self, selector: &str) {
        let reached = format!(
            "Boolean(document.activeElement && document.activeElement.matches({}))",
            json!(selector)
        );
        for _ in 0..400 {
            if self.run(&reached) == true {
                return;
            }
            self.press("Tab");
        }
        let page = self.run("document.querySelector('main')?.outerHTML");
        panic!("no key leads to {selector}: {page:.4000}");
    }

    /// Writes a picture of the whole page to a file.
    pub(super) fn picture(&self, file: &Path) {
        self.run("scrollTo(0, 0)");
        let params = json!({ "format": "png", "captureBeyondViewport": true });
        let taken = self.send("Page.captureScreenshot", params);
        let script = taken["data"].as_str().unwrap();
        std::fs::write(file, BASE64_STANDARD.decode(script).unwrap()).unwrap();
    }

    /// By how many pixels the page is wider than its window.
    pub(super) fn overflow(&self) -> i64 {
        self.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            .as_i64()
            .unwrap()
    }
}
