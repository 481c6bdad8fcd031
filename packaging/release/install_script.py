"""The install script: `packaging/install.sh` with the version, and the hashes of everything that it installs."""

from __future__ import annotations

from pathlib import Path

from constraints import requirements

from codeagent_protocol.version import __version__


def build(sources: Path, out: Path) -> list[Path]:
    """Write the script. Returns its path."""
    script = out / f"codeagentd-{__version__}-install.sh"
    text = (sources / "packaging/install.sh").read_text()
    printed = f"requirements() {{\n    cat <<'LOCKED'\n{requirements(sources, out)}LOCKED\n}}\n"
    script.write_text(f'{text}\nversion={__version__}\n{printed}\nmain "$@"\n')
    script.chmod(0o755)
    return [script]
