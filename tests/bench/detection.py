"""How many secrets are found, how much ordinary text is taken for one, and what it costs: `python -m tests.bench.detection [FOLDER …]`.

Secrets are those of tests.harness.planted, ten of every kind in every place; ordinary text is every text file below the folders (without one: the
packages of this Python) and made-up digests. What is taken out of ordinary text counts as a false alarm, also where it is a password in an example.
"""

from __future__ import annotations

import random
import sys
import sysconfig
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from codeagentd.base.text import is_binary, is_minified
from codeagentd.secrets.redaction import REMOVED, redacted
from tests.harness.planted import HEX, Forge, blocks, fitting, secrets, shows

SEEDS = range(5, 15)
ENDINGS = frozenset(
    {".py", ".js", ".ts", ".json", ".md", ".rst", ".txt", ".html", ".css", ".toml", ".yml", ".yaml", ".cfg", ".ini"}
)
MANY = 10_000
MAX_BYTES = 4_000_000


def detection(clean: Callable[[str], str]) -> Iterator[tuple[str, int, int]]:
    """(kind, found, planted) for every kind of secret."""
    found: Counter[str] = Counter()
    planted: Counter[str] = Counter()
    for seed in SEEDS:
        for secret in secrets(seed):
            for place in fitting(secret):
                planted[secret.kind] += 1
                found[secret.kind] += not shows(clean(place.holding(secret)), secret.value)
        for kind, (text, body) in blocks(seed).items():
            planted[f"{kind} key"] += 1
            cleaned = clean(text)
            found[f"{kind} key"] += not any(line in cleaned for line in body.split("\n"))
    for kind, count in planted.items():
        yield kind, found[kind], count


def texts(folders: list[Path]) -> Iterator[str]:
    """What is read there for text search: no binary and no minified file."""
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.suffix in ENDINGS and path.is_file():
            data = path.read_bytes()
            if len(data) <= MAX_BYTES and not is_binary(data) and not is_minified(data[:8192]):
                yield data.decode(errors="replace")


def digests() -> dict[str, str]:
    """Lines of digests, identifiers and names that are no secrets: kind -> text."""
    forge, chance = Forge(3), random.Random(3)
    rows: dict[str, Callable[[int], str]] = {
        "lock file": lambda n: f'      "integrity": "sha512-{forge.encoded(64)}",',
        "requirements": lambda n: f"    --hash=sha256:{forge.of(HEX, 64)} \\",
        "UUID": lambda n: f'id{n} = "{uuid.UUID(int=chance.getrandbits(128))}"',
        "commit": lambda n: f"      - uses: actions/checkout@{forge.of(HEX, 40)}",
        "checksum": lambda n: f"{forge.of(HEX, 64)}  dist/package-{n}.tar.gz  # sha256",
        "bare digest": lambda n: f'expected{n} = "{forge.of(HEX, 40)}"',
        "image": lambda n: f'icon{n} = "data:image/png;base64,{forge.encoded(300)}"',
        "address": lambda n: f"https://example.org/docs/v{n % 9}/reference/getting-started-{n}.html#section-{n}",
        "long name": lambda n: f"def test_number_{n}_of_the_utf8_encoded_base64_values_is_2024_or_later(): ...",
        "style": lambda n: f".grid-col-{n % 12}_x{n}:hover {{ color: #{forge.of(HEX, 6)}; width: {n}px }}",
    }
    return {kind: "\n".join(map(row, range(1_000))) for kind, row in rows.items()}


def main(folders: list[Path]) -> None:
    """Print the table."""
    print("| kind | found |\n|---|---|")
    total = [0, 0]
    for kind, found, planted in detection(redacted):
        total = [total[0] + found, total[1] + planted]
        print(f"| {kind} | {found} of {planted} |")
    print(
        f"| all | {total[0]} of {total[1]} ({total[0] / total[1]:.2%}) |\n\n| ordinary text | taken out per {MANY} lines |\n|---|---|"
    )
    for kind, text in digests().items():
        print(f"| {kind} | {redacted(text).count(REMOVED) * MANY / (text.count(chr(10)) + 1):.0f} |")
    read = list(texts(folders))
    started = time.process_time()
    cleaned = list(map(redacted, read))
    seconds, size, lines = time.process_time() - started, sum(map(len, read)), sum(text.count("\n") for text in read)
    removed = sum(after.count(REMOVED) - before.count(REMOVED) for before, after in zip(read, cleaned, strict=True))
    print(
        f"| {len(read)} files, {lines} lines, {size / 1e6:.1f} MB | {removed * MANY / lines:.1f} |\n\n{seconds / size * 1e6:.3f} s a MB"
    )


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]] or [Path(sysconfig.get_path("purelib"))])
