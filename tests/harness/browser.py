"""A real browser without a window, driven by the W3C WebDriver protocol: chromium and its chromedriver, where both are installed."""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from tests.harness.waiting import eventually

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
DRIVER: Final = shutil.which("chromedriver") or ""
MISSING: Final = (
    "" if CHROMIUM and DRIVER else "needs chromium and chromedriver (Debian: apt-get install chromium chromium-driver)"
)
PATIENCE_S: Final = 30.0
ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"  # what the protocol calls a reference to an element

KEYS: Final = {"enter": "\ue007", "escape": "\ue00c", "down": "\ue015", "up": "\ue013"}

T = TypeVar("T")


class Refused(AssertionError):
    """What the driver says of a command that it could not carry out."""


class Browser:
    """One session. Methods wait for what they name, and fail when it does not come."""

    def __init__(self, url: str) -> None:
        self._url = url

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """One command of the protocol; its value."""
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self._url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            why = json.load(error)["value"]
            raise Refused(f"{why.get('error')}: {why.get('message')}") from None

    def devtools(self, command: str, **parameters: Any) -> Any:
        """The result of a command of the devtools protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, url: str) -> None:
        """Go to a page, and wait until it is loaded."""
        self.ask("POST", "/url", {"url": url})

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a function's body in the page."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, css: str, text: str = "") -> str:
        """The first visible element of a selector that has this text; waits for it."""
        script = "return [...document.querySelectorAll(arguments[0])].find((one) => one.checkVisibility() && one.textContent.includes(arguments[1])) || null"
        found: dict[str, str] = eventually(lambda: self.run(script, css, text))
        return found[ELEMENT]

    def click(self, css: str, text: str = "") -> None:
        """Click an element, as a person would: one that is covered is not clicked."""
        self.ask("POST", f"/element/{self.find(css, text)}/click")

    def write(self, css: str, text: str) -> None:
        """Type into an element."""
        self.ask("POST", f"/element/{self.find(css)}/value", {"text": text})

    def press(self, *keys: str) -> None:
        """Press keys, one after another, wherever the focus is."""
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def click_at(self, x: float, y: float) -> None:
        """Click a point of the window."""
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self.ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": moves}]})

    def text(self, css: str) -> str:
        """The text that an element shows."""
        found: str = self.run("return document.querySelector(arguments[0]).innerText", css)
        return found

    def log(self, kind: str) -> list[dict[str, Any]]:
        """What was logged since the last time: `browser` (the console) or `performance` (events of the devtools protocol)."""
        found: list[dict[str, Any]] = self.ask("POST", "/se/log", {"type": kind})
        return found

    def requests(self) -> list[str]:
        """The addresses that the page has asked for since the last time; what the browser opens by itself does not count."""
        events = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
        return [one["request"]["url"] for one in sent if not one["documentURL"].startswith("chrome")]

    def picture(self, place: Path) -> None:
        """Write what is seen as a PNG."""
        place.write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))


@contextlib.contextmanager
def browser(
    place: Path, *, size: tuple[int, int] = (1400, 900), dark: bool = False, scripts: bool = True
) -> Iterator[Browser]:
    """A browser with its profile below `place`."""
    with (place / "driver.log").open("w") as log:
        driver = subprocess.Popen(
            [DRIVER, "--port=0", "--allowed-ips=127.0.0.1"], stdout=subprocess.PIPE, stderr=log, text=True
        )
    session = Browser("")
    try:
        assert driver.stdout
        port = (
            next(line for line in driver.stdout if "started successfully on port" in line)
            .rpartition(" ")[2]
            .strip(". \n")
        )
        session = Browser(f"http://127.0.0.1:{port}/session")
        session = Browser(
            f"http://127.0.0.1:{port}/session/{session.ask('POST', '', _wanted(place, size, dark, scripts))['sessionId']}"
        )
        yield session
    finally:
        with contextlib.suppress(OSError, Refused):
            session.ask("DELETE", "")
        driver.terminate()
        driver.wait(PATIENCE_S)


def _wanted(place: Path, size: tuple[int, int], dark: bool, scripts: bool) -> dict[str, Any]:
    arguments = [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run",
        f"--user-data-dir={place / 'profile'}", f"--window-size={size[0]},{size[1]}", *(["--blink-settings=preferredColorScheme=0"] if dark else []),
    ]  # fmt: skip
    options: dict[str, Any] = {"binary": CHROMIUM, "args": arguments}
    if not scripts:
        options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
    return {
        "capabilities": {
            "alwaysMatch": {
                "goog:chromeOptions": options,
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            }
        }
    }
