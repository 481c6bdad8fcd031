"""`python packaging/release --out DIR`: `command.main`, with the code of this checkout, whichever is installed."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / package) for package in ("protocol", "shim", "daemon")]

from command import main  # noqa: E402 - from here on, imports find this checkout

raise SystemExit(main())
