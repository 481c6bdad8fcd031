"""The pictures in the documents: screenshots of a real report and of the daemon's page, as a browser shows them.

codeagentd report --format html --output /tmp/report
python -m tests.harness.pictures /tmp/report/graph.html
python -m tests.harness.pictures "$(codeagentd ui --print)" --at /symbol/forward_path --name page
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.harness.browser import MISSING, Browser, browser
from tests.harness.documents import DOCS

SIZE: Final = (1200, 760)  # pixels
FOLDER: Final = DOCS / "images"
QUALITY: Final = 82  # of WebP: letters stay sharp, and the file has less than 200 kB


def main() -> int:
    """Write the picture."""
    parser = argparse.ArgumentParser(prog="python -m tests.harness.pictures", description=__doc__)
    parser.add_argument("page", help="a graph.html, or the address that `codeagentd ui --print` prints")
    parser.add_argument("--at", default="/", help="the page of that address")
    parser.add_argument("--name", default="graph", help="of the picture")
    arguments = parser.parse_args()
    if MISSING:
        print(f"error: {MISSING}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder), size=SIZE) as window:
        if arguments.page.startswith("http://"):
            _open_page(window, arguments.page, arguments.at)
        else:
            window.open(Path(arguments.page).resolve().as_uri())
            window.find("canvas")
        parameters = {"format": "webp", "quality": QUALITY}
        answer = window.ask("POST", "/goog/cdp/execute", {"cmd": "Page.captureScreenshot", "params": parameters})
    picture = FOLDER / f"{arguments.name}.webp"
    picture.write_bytes(base64.b64decode(answer["data"]))
    print(f"{picture.name}: {picture.stat().st_size / 1000:.0f} kB")
    return 0


def _open_page(window: Browser, address: str, at: str) -> None:
    """Sign in, and go to a page whose parts are all there."""
    window.open(address)
    window.find("#main h1")
    window.open(address.partition("/#")[0] + at)
    window.find("#main h1")
    window.run(
        "return Promise.all([...document.querySelectorAll('[data-later], [data-colors]')].map((part) =>"
        " new Promise((done) => setTimeout(done, 1500))))"
    )


if __name__ == "__main__":
    sys.exit(main())
