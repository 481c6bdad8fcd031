"""The picture of graph.html in the README: a screenshot of a real report, as a browser shows it.

codeagentd report --format html --output /tmp/report
python -m tests.harness.pictures /tmp/report/graph.html
"""

from __future__ import annotations

import argparse
import base64
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests.harness.browser import MISSING, browser
from tests.harness.documents import DOCS

SIZE: Final = (1200, 760)  # pixels
PICTURE: Final = DOCS / "images" / "graph.webp"
QUALITY: Final = 82  # of WebP: letters stay sharp, and the file has less than 200 kB


def main() -> int:
    """Write the picture."""
    parser = argparse.ArgumentParser(prog="python -m tests.harness.pictures", description=__doc__)
    parser.add_argument("page", type=Path, help="a graph.html")
    page = parser.parse_args().page.resolve()
    if MISSING:
        print(f"error: {MISSING}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder), size=SIZE) as window:
        window.open(page.as_uri())
        window.find("canvas")
        parameters = {"format": "webp", "quality": QUALITY}
        answer = window.ask("POST", "/goog/cdp/execute", {"cmd": "Page.captureScreenshot", "params": parameters})
    PICTURE.write_bytes(base64.b64decode(answer["data"]))
    print(f"{PICTURE.name}: {PICTURE.stat().st_size / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
