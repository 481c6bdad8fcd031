"""The server of the bundle: codeagent-mcp, in the environment that the bundle's host has made."""

from codeagent_shim.main import main

raise SystemExit(main())
