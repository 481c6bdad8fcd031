"""The module name by which a daemon of 0.1.0 or older starts a worker: the files of such a daemon may be replaced while
it runs.
"""

from codeagentd.pipeline.workers.worker import main

if __name__ == "__main__":
    main()
