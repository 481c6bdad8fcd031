"""Detection of file systems that other machines may change without events from the kernel (Linux)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

# Types whose files change on a server or host without events here; only writes from this side would be reported.
REMOTE: Final = re.compile(
    r"9p|v9fs|drvfs|virtiofs|vboxsf|prl_fs|vmhgfs|nfs4?|cifs|smb3|smbfs|afs|ceph|lustre|gpfs|beegfs|davfs|ncpfs"
    r"|fuse\.(?:sshfs|vmhgfs-fuse|rclone|s3fs|gcsfuse|glusterfs|ceph|davfs2|drvfs)"
)
MOUNTS: Final = Path("/proc/self/mountinfo")


def remote_type(root: Path, mounts: Path = MOUNTS) -> str:
    """Return the type of the file system that contains `root` if other machines may change it unseen; '' if it is
    local.

    Source: proc(5), mountinfo: the fifth field is the mount point, the type follows the single dash.
    """
    best, kind = -1, ""
    try:
        lines = mounts.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    for line in lines:
        fields = line.split(" ")
        point = fields[4].replace(r"\040", " ") if "-" in fields else ""
        if point and len(point) >= best and (root == Path(point) or Path(point) in root.parents):
            best, kind = len(point), fields[fields.index("-") + 1]
    return kind if REMOTE.fullmatch(kind) else ""
