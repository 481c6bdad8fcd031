"""The module name by which a daemon of 0.1.0 or older starts the process that analyses the graph: the files of such a
daemon may be replaced while it runs.
"""

from codeagentd.pipeline.graph.analysis_process import main

if __name__ == "__main__":
    main()
