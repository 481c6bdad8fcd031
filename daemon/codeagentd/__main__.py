"""`python -m codeagentd`: the command line, as `codeagentd` runs it."""

import sys

from codeagentd.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
