"""Files that a generator has written: how long a worker reads each of them, and with how much memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from codeagentd.base.limits import EXTRACT_DEADLINE_S, MAX_FILE_BYTES
from tests.bench.figures import Figure

READ: Final = """
import json, resource, sys, time
from codeagentd.languages.grammar import query
from codeagentd.languages.language import language_of
from codeagentd.pipeline.rows.module_names import ModuleName
from codeagentd.pipeline.workers.file_reader import Reader
from codeagentd.pipeline.workers.messages import Job
root, name = sys.argv[1:]
language = language_of(name)
query(language)
began = time.process_time()
outcome = Reader(root, None).read(Job(name, language, "", ModuleName(name, name)))
seconds = time.process_time() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([seconds, peak * (1 if sys.platform == "darwin" else 1024), outcome.status, outcome.reason]))
"""


def rows(text: str) -> Callable[[int], str]:
    """A file that repeats `text` with a number, {n}, and the number before it, {m}."""
    return lambda count: "".join(text.replace("{n}", str(n)).replace("{m}", str(n - 1)) for n in range(1, count + 1))


def keys(count: int) -> str:
    """A JSON document."""
    return json.dumps({f"key{n}": {"name": f"n{n}", "items": [n, {"deep": n}]} for n in range(count)}, indent=1)


FILES: Final[dict[str, tuple[Callable[[int], str], int]]] = {
    "defines.h": (rows("#define REG_{n} 0x{n} /* offset {n} */\n"), 90_000),
    "too_many_defines.h": (rows("#define REGISTER_OF_A_DEVICE_{n} 0x{n}\n"), 200_000),
    "table.c": (
        lambda count: f"static const struct value table[] = {{\n{rows('{ .reg = 0x{n}, .val = 0x{m} },')(count)}}};\n",
        110_000,
    ),
    "functions.c": (rows("static int f{n}(int a)\n{\n\treturn f{m}(a) + help(a);\n}\n\n"), 50_000),
    "fields.h": (lambda count: f"struct big {{\n{rows('unsigned int field_{n};')(count)}}};\n", 50_000),
    "keys.json": (keys, 40_000),
    "calls.py": (rows("register('name_{n}', handler, {n})\n"), 50_000),
    "methods.py": (
        lambda count: f"class Big:\n{rows('    def m{n}(self):  return self.m{m}()' + chr(10))(count)}",
        50_000,
    ),
    "calls.ts": (rows("register('n{n}', (x) => x.y({n}));\n"), 50_000),
}


def hostile_sizes(_rounds: int) -> Iterator[Figure]:
    """Seconds of a core and the peak of memory, for each file."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (make, count) in FILES.items():
            text = make(count)
            (Path(folder) / name).write_text(text)
            done = subprocess.run(
                [sys.executable, "-c", READ, folder, name], capture_output=True, text=True, check=True
            )
            seconds, peak, status, reason = json.loads(done.stdout)
            size = f"{count:,} rows, {len(text) / 1e6:.1f} of {MAX_FILE_BYTES / 1e6:.1f} MB: {status} {reason}"
            yield Figure("sizes", f"reading {name}", seconds, "s", EXTRACT_DEADLINE_S, detail=size.strip())
            yield Figure("sizes", f"memory for {name}", peak / 1e6, "MB")
