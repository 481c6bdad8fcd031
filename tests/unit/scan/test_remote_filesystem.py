"""Which file systems change behind the kernel's back."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.scan.watching.remote_filesystem import remote_type

MOUNTS = """\
21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw
30 21 0:25 / /mnt/c rw,noatime - 9p C:\\134 rw,dirsync
31 21 0:26 / /home/ada/my\\040share rw - cifs //server/share rw
32 31 0:27 / /home/ada/my\\040share/local rw - tmpfs tmpfs rw
33 21 0:28 / /net rw,relatime shared:7 master:1 - nfs4 server:/export rw
34 21 0:29 / /home/ada/remote rw - fuse.sshfs host: rw
broken line
"""


@pytest.mark.parametrize(
    ("root", "kind"),
    [
        ("/home/ada/src", ""), ("/mnt/c", "9p"), ("/mnt/c/Users/ada/src", "9p"), ("/mnt/cc/src", ""), ("/home/ada/my share/src", "cifs"),
        ("/home/ada/my share/local/src", ""), ("/net/src", "nfs4"), ("/home/ada/remote/src", "fuse.sshfs"),
    ],
)  # fmt: skip
def test_the_innermost_mount_decides(tmp_path: Path, root: str, kind: str) -> None:
    (tmp_path / "mountinfo").write_text(MOUNTS)
    assert remote_type(Path(root), tmp_path / "mountinfo") == kind


def test_an_unknown_mount_table_is_taken_for_local(tmp_path: Path) -> None:
    assert remote_type(Path("/home"), tmp_path / "missing") == ""
    assert remote_type(tmp_path) == ""
