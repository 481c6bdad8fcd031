"""Which licences a package may have that users install, and whether an SPDX expression allows one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tests.harness.installed_packages import Package

# each with the reason why MIT code may depend on it, and be passed on in one image with it
ALLOWED: Final = {
    "0BSD": "asks for nothing",
    "Apache-2.0": "permissive; a copy of the licence and of notices goes along",
    "Apache-2.0 WITH LLVM-exception": "Apache-2.0 with one duty less",
    "Artistic-2.0": "permissive for an unmodified package (one grammar of the pack)",
    "BSD-2-Clause": "permissive; the notice goes along",
    "BSD-3-Clause": "permissive; the notice goes along",
    "BSL-1.0": "permissive, and asks for nothing in binary form",
    "CC0-1.0": "public domain",
    "CDLA-Permissive-2.0": "permissive, for data (the root certificates of a bundled HTTP client)",
    "CNRI-Python": "permissive; part of Python's own",
    "GPL-3.0-or-later WITH GCC-exception-3.1": "the runtime library of a compiler, free for every program made by it",
    "IJG": "permissive; the notice goes along (libjpeg in pillow, in an extra)",
    "ISC": "permissive; the notice goes along",
    "LGPL-3.0-only": "a library of its own, used unmodified, that users can replace; only in extras",
    "MIT": "that of codeagentd itself",
    "MIT-0": "asks for nothing",
    "MIT-CMU": "permissive; the notice goes along",
    "MPL-2.0": "asks for the source of its own files alone, which are used unmodified",
    "PSF-2.0": "permissive; that of Python",
    "Unicode-3.0": "permissive; the notice goes along",
    "Unicode-DFS-2016": "permissive; the older form of Unicode-3.0",
    "Unlicense": "public domain",
    "WTFPL": "asks for nothing",
    "Zlib": "permissive; asks for nothing in binary form",
}
ONLY_IN_EXTRAS: Final = {"LGPL-3.0-only"}

# names that metadata has for them
NAMES: Final = {
    "Apache License 2.0": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0 with LLVM-exception": "Apache-2.0 WITH LLVM-exception",
    "Artistic License 2.0": "Artistic-2.0",
    "3-Clause BSD License": "BSD-3-Clause",
    "CC0 1.0 Universal License": "CC0-1.0",
    "GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only",
    "MIT License": "MIT",
    "MIT License, Apache License, Version 2.0": "MIT OR Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
# packages whose metadata does not say it, or not which of several: what the licence in their files says
STATED: Final = {
    "apsw": "Zlib",  # LICENSE: the text of zlib, or any that the OSI has approved; SQLite in it is public domain
    "google-re2": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "partd": "BSD-3-Clause",
    "py-rust-stemmers": "MIT",
    "zict": "BSD-3-Clause",
}


def licence_of(package: Package) -> str:
    """Return the SPDX expression of a package's licence; '' where nothing says it."""
    return STATED.get(package.name) or spdx(package.licence)


def is_allowed(expression: str, *, in_extra: bool = False) -> bool:
    """Whether an SPDX expression, or a name of metadata, leaves a choice of licences that are all allowed."""
    tokens = re.findall(r"[()]|[^\s()]+(?:\s+WITH\s+[^\s()]+)?", spdx(expression))
    return bool(tokens) and _any_of(iter([*tokens, ""]), ALLOWED.keys() - (set() if in_extra else ONLY_IN_EXTRAS))


def spdx(licence: str) -> str:
    """Return the SPDX expression of a licence as metadata names it; itself where it has no other name here."""
    plain = re.sub(r"\s+(?i:licen[cs]e)$", "", licence)
    return NAMES.get(licence) or NAMES.get(plain) or plain


def _any_of(tokens: Iterator[str], allowed: set[str]) -> bool:
    """Whether one of the parts between OR, each of parts between AND, is allowed; until the closing bracket."""
    choices, parts = list[bool](), list[bool]()
    for token in tokens:
        if token in {"", ")", "OR"}:
            choices.append(bool(parts) and all(parts))
            parts.clear()
            if token != "OR":
                break
        elif token == "(":
            parts.append(_any_of(tokens, allowed))
        elif token != "AND":
            parts.append(re.sub(r"\s+", " ", token) in allowed)
    return any(choices)
