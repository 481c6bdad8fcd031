"""The real shim, for MCP or for LSP, with another daemon and other limits: the first argument says which, as JSON; the rest are the shim's own."""

from __future__ import annotations

import json
import sys

from codeagent_shim import language_server, limits, main

if __name__ == "__main__":
    setting = json.loads(sys.argv[1])
    for name, value in setting["limits"].items():
        setattr(limits, name, value)
    program = language_server if setting.get("language_server") else main
    sys.exit(program.main(sys.argv[2:], setting["daemon"]))
