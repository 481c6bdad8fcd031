"""`python packaging/release --out DIR`: `command.main`."""

from __future__ import annotations

from command import main

raise SystemExit(main())
