"""A headless Chromium, spoken to by the W3C WebDriver protocol over the standard library: no package is needed.

Every address but a file on this disk fails to resolve, so a page that asks for anything else is caught asking.
"""

import base64
import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

NEEDED = ("chromium", "chromedriver")
NO_BROWSER = "chromium and chromedriver (Debian: chromium chromium-driver) are not installed"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--allow-file-access-from-files",
)  # fmt: skip
LOGS = {"browser": "ALL", "performance": "ALL"}
LOCAL = build_opener(ProxyHandler({}))  # the driver is on this machine, whatever the environment says of proxies


def missing() -> list[str]:
    """The programs that are not on the path."""
    return [name for name in NEEDED if shutil.which(name) is None]


class Browser:
    """One window."""

    def __init__(self, address: str, session: str) -> None:
        self.base = f"{address}/session/{session}"

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        return _call(method, self.base + path, body)

    def open(self, page: Path, fragment: str = "") -> None:
        self.call("POST", "/url", {"url": "about:blank"})
        self.call("POST", "/url", {"url": page.as_uri() + (f"#{fragment}" if fragment else "")})

    def run(self, script: str, *arguments: Any) -> Any:
        """What the script returns; a promise is waited for."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, condition: str, *arguments: Any, seconds: float = 20) -> Any:
        """What an expression is worth as soon as it is worth anything."""
        stop = time.monotonic() + seconds
        while not (found := self.run(f"return {condition}", *arguments)):
            assert time.monotonic() < stop, f"in {seconds} s this never held: {condition}"
            time.sleep(0.02)
        return found

    def back(self) -> None:
        self.call("POST", "/back", {})

    def log(self) -> list[dict[str, Any]]:
        """What the browser complained of since it was last asked."""
        return self.call("POST", "/se/log", {"type": "browser"})

    def asked_for(self) -> list[str]:
        """The address of every request since this was last asked, whether anything answered or not."""
        entries = self.call("POST", "/se/log", {"type": "performance"})
        events = [json.loads(entry["message"])["message"] for entry in entries]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def press(self, *keys: str) -> None:
        """Keys one after another, on whatever has the focus."""
        pressed = [{"type": way, "value": key} for key in keys for way in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": pressed}]})

    def size(self, width: int, height: int) -> None:
        self.devtools(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    def media(self, *, dark: bool = False, paper: bool = False) -> None:
        """What the reader wishes for, and whether the page is seen or printed."""
        wish = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.devtools("Emulation.setEmulatedMedia", features=[wish], media="print" if paper else "screen")

    def devtools(self, command: str, **parameters: Any) -> Any:
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))


def _call(method: str, address: str, body: dict[str, Any] | None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(address, data, {"Content-Type": "application/json"}, method=method)
    try:
        with LOCAL.open(request, timeout=120) as answer:
            return json.load(answer)["value"]
    except HTTPError as error:
        with error:
            raise AssertionError(f"{method} {address}: {json.load(error)['value']['message']}") from None


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """A browser with a fresh profile, ended with everything that it started."""
    with (profile / "driver.log").open("wb") as log:
        driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert driver.stdout is not None
            said = next(line for line in driver.stdout if "started successfully on port" in line)
            address = f"http://127.0.0.1:{said.rpartition('port ')[2].strip(' .' + chr(10))}"
            options = {"args": [*FLAGS, f"--user-data-dir={profile / 'profile'}"], "binary": shutil.which("chromium")}
            wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": LOGS}
            answer = _call("POST", f"{address}/session", {"capabilities": {"alwaysMatch": wanted}})
            browser = Browser(address, answer["sessionId"])
            try:
                yield browser
            finally:
                browser.call("DELETE", "")
        finally:
            driver.terminate()
            driver.wait(20)
            if driver.stdout is not None:
                driver.stdout.close()
