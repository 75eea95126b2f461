//! Chromium's DevTools protocol over a pipe: JSON messages, each ended by a zero byte.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

#[derive(Debug, thiserror::Error)]
pub enum CdpError {
    #[error("cannot talk to the browser: {0}")]
    Io(#[from] io::Error),
    #[error("the browser has ended; is it installed?")]
    Ended,
    #[error("not a message of the browser: {0}")]
    Message(#[from] serde_json::Error),
    #[error("{method}: {error}")]
    Refused { method: String, error: Value },
    #[error("an exception in the page: {0}")]
    Exception(String),
    #[error("`{0}` is nowhere to be clicked")]
    NotThere(String),
}

/// One browser with one page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    n_calls: u64,
    session: Option<String>,
    /// Errors of scripts that nobody has asked for.
    pub exceptions: Vec<String>,
}

impl Browser {
    pub fn start(chromium: &str, profile: &Path) -> Result<Self, CdpError> {
        // The browser reads from descriptor 3 and writes to 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >&2", "sh", chromium])
            .args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--hide-scrollbars", "--disable-dev-shm-usage"])
            .arg(format!("--user-data-dir={}", profile.join("profile").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else { return Err(CdpError::Ended) };
        let from = BufReader::new(from);
        let mut browser = Self { child, to, from, n_calls: 0, session: None, exceptions: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach)?;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call("Page.enable", json!({}))?;
        browser.call("Runtime.enable", json!({}))?;
        Ok(browser)
    }

    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, CdpError> {
        self.n_calls += 1;
        let id = self.n_calls;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(message.to_string().as_bytes())?;
        self.to.write_all(&[0])?;
        self.to.flush()?;
        loop {
            let mut answer = self.receive()?;
            if answer["id"] == id {
                return match answer.get("error") {
                    Some(error) => Err(CdpError::Refused { method: method.to_owned(), error: error.clone() }),
                    None => Ok(answer["result"].take()),
                };
            }
        }
    }

    fn receive(&mut self) -> Result<Value, CdpError> {
        let mut text = Vec::new();
        if self.from.read_until(0, &mut text)? == 0 {
            return Err(CdpError::Ended);
        }
        text.pop();
        let message: Value = serde_json::from_slice(&text)?;
        if message["method"] == "Runtime.exceptionThrown" {
            let details = &message["params"]["exceptionDetails"];
            self.exceptions.push(details["exception"]["description"].as_str().unwrap_or("unknown").to_owned());
        }
        Ok(message)
    }

    /// Goes to a view of a page, loading it anew. Returns when it is drawn.
    pub fn open(&mut self, page: &Path, route: &str) -> Result<(), CdpError> {
        self.call("Page.navigate", json!({ "url": "about:blank" }))?;
        let url = format!("file://{}#/{route}", page.display());
        self.call("Page.navigate", json!({ "url": url }))?;
        self.wait_for("document.readyState === 'complete' && !!document.querySelector('main h1')")?;
        self.settle()
    }

    /// Waits until what was asked for is drawn.
    pub fn settle(&mut self) -> Result<(), CdpError> {
        self.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
            .map(|_| ())
    }

    /// The value of an expression in the page.
    pub fn eval(&mut self, expression: &str) -> Result<Value, CdpError> {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut result = self.call("Runtime.evaluate", params)?;
        match result.get("exceptionDetails") {
            Some(details) => Err(CdpError::Exception(details.to_string())),
            None => Ok(result["result"]["value"].take()),
        }
    }

    pub fn wait_for(&mut self, condition: &str) -> Result<(), CdpError> {
        for _ in 0..400 {
            if self.eval(condition)? == true {
                return Ok(());
            }
            std::thread::sleep(std::time::Duration::from_millis(25));
        }
        Err(CdpError::NotThere(condition.to_owned()))
    }

    /// A click of the mouse in the middle of the first element that the selector finds.
    pub fn click(&mut self, selector: &str) -> Result<(), CdpError> {
        let find = format!(
            "(() => {{ const element = document.querySelector({}); if (!element) return null; \
             element.scrollIntoView({{ block: 'nearest' }}); const box = element.getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        );
        let place = self.eval(&find)?;
        if place.is_null() {
            return Err(CdpError::NotThere(selector.to_owned()));
        }
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        self.settle()
    }

    pub fn press(&mut self, key: &str) -> Result<(), CdpError> {
        let code = match key {
            "Enter" => 13,
            "Tab" => 9,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", event)?;
        }
        self.settle()
    }

    pub fn type_text(&mut self, text: &str) -> Result<(), CdpError> {
        self.call("Input.insertText", json!({ "text": text }))?;
        self.settle()
    }

    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), CdpError> {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", params)?;
        self.settle()
    }

    /// A feature of media queries, such as `prefers-color-scheme`.
    pub fn prefer(&mut self, features: &[(&str, &str)]) -> Result<(), CdpError> {
        let features: Vec<Value> =
            features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }))?;
        self.settle()
    }

    pub fn screenshot(&mut self) -> Result<Vec<u8>, CdpError> {
        let shot = self.call("Page.captureScreenshot", json!({ "format": "png" }))?;
        let data = shot["data"].as_str().unwrap_or_default();
        STANDARD.decode(data).map_err(|error| CdpError::Exception(error.to_string()))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already; nothing more can be done either way.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
