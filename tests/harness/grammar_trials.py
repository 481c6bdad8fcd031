"""A trial of grammars in a process that may be killed: sources and noise in each language, within time and memory.

Run as a program with names of languages, it writes a line before each source, and what was too slow or too large. A
crash or a hang is seen from outside: the last line says where.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Final

from codeagentd.base.limits import MAX_NESTING
from codeagentd.extract.file_facts import extract
from codeagentd.pipeline.workers.file_reader import reason_against_parsing
from tests.harness.generic_queries import read_examples

LONG_BYTES: Final = 40_000
SLOWEST_S: Final = 5.0  # of processor time for one source: an extract worker has 20
SILENT_S: Final = 120.0  # without a line: the process is ended
MEMORY_BYTES: Final = 3 * 1_024**3  # of address space; the largest grammars map 20 MB
GROWTH_KB: Final = 400_000
STARTED: Final = ">"
WRONG: Final = "!"


def sources(language: str, seed: int) -> Iterator[tuple[str, bytes]]:
    """List what a language is tried on, by name: its example, parts of it, much of it, and noise."""
    chance = random.Random(f"{language} {seed}")
    text = read_examples()[language]["source"].strip().encode()
    lines = text.split(b"\n")
    yield "example", text
    yield "nothing", b""
    for _ in range(4):
        yield "cut", text[: chance.randrange(len(text))]
        start = chance.randrange(len(text))
        yield "begun late", text[start:]
    yield "much", (text + b"\n") * (LONG_BYTES // len(text))
    yield "one line", b" ".join(lines) * (LONG_BYTES // len(text))
    yield "shuffled", b"\n".join(chance.sample(lines, len(lines)))
    yield "mixed", bytes(chance.choice(text) for _ in range(4_000))
    yield "bytes", chance.randbytes(4_000)
    yield "letters", bytes(chance.choice(b"abcxyz_ \n\t(){}[]<>;:,.'\"`#%@$&|\\/*+-=!?0123") for _ in range(8_000))
    for signs in (b"(", b"[", b"{", b"<", b"((a", b"{a:"):
        yield f"nested {signs!r}", signs * MAX_NESTING
    for sign in (b'"', b"'", b"`", b"/*", b"#", b"\\", b"\n\t", b" ", b"\x00", b"--", b"''", b"\xff", b"<!--", b"{-"):
        yield f"500 times {sign!r}", sign * 500
        yield f"after {sign!r}", sign + text


def run(languages: Sequence[str], seed: int) -> None:
    """Try the languages in this process, and write what happens."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    for language in languages:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for name, source in sources(language, seed):
            print(STARTED, language, name, flush=True)
            began = time.process_time()
            if not reason_against_parsing(source, source, language):
                extract(source, language)
            if (took := time.process_time() - began) > SLOWEST_S:
                print(WRONG, f"{language}, {name}: {took:.1f} s", flush=True)
        if (grown := resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) > GROWTH_KB:
            print(WRONG, f"{language}: {grown // 1_000} MB more", flush=True)


def failures(languages: Sequence[str], seed: int = 0) -> list[str]:
    """Try languages in a process of their own; returns what went wrong, each with its language."""
    results = []
    todo = list(languages)
    while todo:
        lines, ending = _output([sys.executable, "-m", __name__, str(seed), *todo])
        results += [line.removeprefix(WRONG).strip() for line in lines if line.startswith(WRONG)]
        if not ending:
            return results
        last = next((line for line in reversed(lines) if line.startswith(STARTED)), f"{STARTED} {todo[0]} start")
        language = last.split()[1]
        results.append(f"{last.removeprefix(STARTED).strip()}: {ending}")
        todo = todo[todo.index(language) + 1 :]
    return results


def _output(command: list[str]) -> tuple[list[str], str]:
    """The lines that a process writes, and how it ended; '' where all was well. One that is silent is killed."""
    lines: list[str] = []
    heard = [time.monotonic()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:

        def read() -> None:
            for line in process.stdout or ():
                lines.append(line.rstrip("\n"))
                heard[0] = time.monotonic()

        reader = threading.Thread(target=read)
        reader.start()
        while reader.is_alive():
            reader.join(0.5)
            if time.monotonic() - heard[0] > SILENT_S:
                process.kill()
                reader.join()
                return lines, f"silent for {SILENT_S:.0f} s"
        error = process.stderr.read() if process.stderr else ""
        code = process.wait()
    return lines, "" if code == 0 else f"exit code {code}: {error.strip()[-300:]}"


if __name__ == "__main__":
    run(sys.argv[2:], int(sys.argv[1]))
