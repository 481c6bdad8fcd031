"""The formula for a Homebrew tap, with the address and the SHA-256 of the source distribution."""

from __future__ import annotations

import string
import tomllib
from pathlib import Path

from checksums import sha256

from codeagent_protocol.version import __version__


def build(sources: Path, out: Path) -> list[Path]:
    """Write the formula. Returns its path."""
    sdist = out / f"codeagentd-{__version__}.tar.gz"
    project = tomllib.loads((sources / "pyproject.toml").read_text())["project"]
    values = {
        "repository": project["urls"]["Repository"],
        "version": __version__,
        "sha256": sha256(sdist),
        "constraints": sha256(out / f"codeagentd-{__version__}-constraints.txt"),
    }
    template = string.Template((sources / "packaging" / "homebrew" / "codeagentd.rb.in").read_text())
    formula = out / "codeagentd.rb"
    formula.write_text(template.substitute(values))
    return [formula]
