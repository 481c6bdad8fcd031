"""The floor: read and parse every Python file of a tree with tree-sitter, one process, nothing else. Prints one JSON object."""

from __future__ import annotations

import json
import os
import sys
import time

from tree_sitter_language_pack import get_parser


def main(root: str) -> None:
    """CPU and wall seconds of reading and parsing, imports left out."""
    paths = sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names if name.endswith(".py")
    )
    parser = get_parser("python")
    parser.parse(b"warm = 1\n")
    size, wall, cpu = 0, time.perf_counter(), time.process_time()
    for path in paths:
        with open(path, "rb") as file:
            source = file.read()
        parser.parse(source)
        size += len(source)
    print(
        json.dumps(
            {
                "cpu_s": time.process_time() - cpu,
                "wall_s": time.perf_counter() - wall,
                "files": len(paths),
                "bytes": size,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
