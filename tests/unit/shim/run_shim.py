"""The real shim with another daemon and other limits: the first argument says which, as JSON; the rest are the shim's own."""

from __future__ import annotations

import json
import sys

from codeagent_shim import limits
from codeagent_shim.main import main

if __name__ == "__main__":
    setting = json.loads(sys.argv[1])
    for name, value in setting["limits"].items():
        setattr(limits, name, value)
    sys.exit(main(sys.argv[2:], setting["daemon"]))
