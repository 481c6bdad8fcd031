"""The module name by which a daemon of 0.1.0 or older starts the process that computes vectors: the files of such a
daemon may be replaced while it runs.
"""

import sys

from codeagentd.pipeline.embedding.embedding_process import main

if __name__ == "__main__":
    sys.exit(main())
