"""Chromium without a window, driven over a pipe by the DevTools protocol: keys, pointer, themes, and the tree that a
screen reader sees. Nothing here waits for a fixed time."""

import json
import os
import shutil
import subprocess
import tempfile
import time

PATIENCE = float(os.environ.get("HEADSCOPE_BROWSER_PATIENCE", "120"))  # seconds for one condition
KEY_CODES = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Home": 36, "End": 35,
             "Enter": 13, "PageUp": 33, "PageDown": 34}


class Failed(AssertionError):
    pass


def check(claim, sentence):
    if not claim:
        raise Failed(sentence)


class Browser:
    """One page of one browser. What the page complains of and what it asks the network for are kept."""

    def __init__(self, program):
        self.complaints = []
        self.requests = []
        self._folder = tempfile.mkdtemp(prefix="headscope-browser-")
        self._number = 0
        self._rest = b""
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        os.set_blocking(self._in, False)
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND", "--force-color-profile=srgb",
                   "--remote-debugging-pipe", f"--user-data-dir={self._folder}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 3<&' + str(to_browser) + " 4>&" + str(from_browser), "browser", program, *options],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._session = None
        pages = self.wait(lambda: [target for target in self.call("Target.getTargets")["targetInfos"]
                                   if target["type"] == "page"], "a page in the browser")
        self._session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.call(domain + ".enable")

    def close(self):
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    # ---------------------------------------------------------------------------------- the protocol

    def call(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for answer in self._messages():
                if answer.get("id") == self._number:
                    check("error" not in answer, f"{method}: {answer.get('error')}")
                    return answer["result"]
            check(self._process.poll() is None, "the browser ended")
        raise Failed(f"{method} was not answered")

    def _messages(self):
        try:
            self._rest += os.read(self._in, 1 << 20)
        except BlockingIOError:
            time.sleep(0.005)
        *whole, self._rest = self._rest.split(b"\0")
        for text in whole:
            message = json.loads(text)
            self._remember(message)
            yield message

    def _remember(self, message):
        method, facts = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(str(facts["exceptionDetails"].get("exception", facts["exceptionDetails"])))
        elif method == "Log.entryAdded":
            self.complaints.append(facts["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append("a dialog: " + facts["message"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(facts["request"]["url"])

    # ---------------------------------------------------------------------------------- a person

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            answer = condition()
            if answer:
                return answer
            time.sleep(0.02)
        raise Failed(f"waited in vain for {what}")

    def open(self, address):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        self.wait(lambda: self.js("location.href") == address and self.js("document.readyState") == "complete", address)

    def js(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        check("exceptionDetails" not in answer, f"{expression}: {answer.get('exceptionDetails')}")
        return answer["result"].get("value")

    def text(self, identifier):
        return self.js(f"document.getElementById({json.dumps(identifier)}).textContent")

    def focused(self):
        return self.js("document.activeElement.id")

    def key(self, name, shift=False):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=KEY_CODES[name],
                      modifiers=8 if shift else 0)

    def move_to(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        self.move_to(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def use_size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def use_theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self):
        return self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]

    def accessible(self):
        """Role and name of everything that a screen reader meets."""
        value = lambda node, key: node.get(key, {}).get("value", "")
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [(value(node, "role"), value(node, "name"), node) for node in nodes if not node.get("ignored")]
