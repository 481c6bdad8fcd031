"""The install script: `packaging/install.sh` with the version, and the hashes of everything that it installs."""

from __future__ import annotations

from pathlib import Path

import checksums

from codeagent_protocol.version import __version__


def build(sources: Path, out: Path) -> list[Path]:
    """Write the script. Returns its path."""
    digests = [checksums.sha256(path) for path in sorted(out.glob(f"codeagentd-{__version__}*.whl"))]
    product = " ".join([f"codeagentd=={__version__}", *(f"--hash=sha256:{digest}" for digest in digests)])
    script = out / f"codeagentd-{__version__}-install.sh"
    text = (sources / "packaging/install.sh").read_text()
    locked = (sources / "packaging/constraints.txt").read_text()
    requirements = f"requirements() {{\n    cat <<'LOCKED'\n{product}\n{locked}LOCKED\n}}\n"
    script.write_text(f'{text}\nversion={__version__}\n{requirements}\nmain "$@"\n')
    script.chmod(0o755)
    return [script]
