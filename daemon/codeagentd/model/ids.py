"""Keys and ids that every part of the daemon derives in the same way."""

from __future__ import annotations

import base64
import binascii
import hashlib
import sys

UID_BYTES = 16
NODE_ID_LENGTH = 22  # characters of a node id in answers: URL-safe base64 of the 16 bytes, without padding
NAME_HASH = 0xFFFFFFFF  # the part of a name key that a file's list of mentioned names holds
_SPREAD = 0x9E3779B97F4A7C15  # spreads neighbouring numbers over all bits: 2^64 divided by the golden ratio
FILE_SHIFT = 20  # reference id = file id << FILE_SHIFT | running number


def numbers_of(file: int) -> tuple[int, int]:
    """Return the first and the last row number of the rows that belong to the file with this id: references, imports,
    chunks.
    """
    return file << FILE_SHIFT, ((file + 1) << FILE_SHIFT) - 1


def content_digest(content: bytes) -> bytes:
    """Return the digest that identifies `content`, of a file or text: 16 bytes."""
    return hashlib.blake2b(content, digest_size=16).digest()


def text_digest(text: str) -> bytes:
    """Return the content_digest of `text`, whatever characters it contains."""
    return content_digest(text.encode("utf-8", "surrogatepass"))


def name_key(name: str) -> int:
    """Return the 48-bit key of `name`. In practice only equal names have equal keys (chance of any collision among 10^5
    names: 2e-5).
    """
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "big")


def name_hash(key: int) -> bytes:
    """Return the 4 bytes that stand for the name with the name_key `key` in a file's list of mentioned names."""
    return (key & NAME_HASH).to_bytes(4, sys.byteorder)


def member_dependency_hash(type_id: int, key: int) -> int:
    """Return the 32-bit number that stands for the member with the name_key `key` of the type `type_id` in a file's
    list of the members that it looked up on types.
    """
    return (key ^ type_id * _SPREAD) >> 16 & NAME_HASH


def derive_uid(language: str, project: str, qualified_name: str, group: str, disambiguator: str) -> bytes:
    """Return the 16-byte id that a symbol with these properties gets when no earlier id is kept for it."""
    text = f"{language}\x00{project}\x00{qualified_name}\x00{group}\x00{disambiguator}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=UID_BYTES).digest()


def repeated_uid(uid: bytes, times: int) -> bytes:
    """Return the 16-byte id of the definition that is the `times`-th (2, 3, ...) of those that differ only in their
    place in the file; `uid` is the first one's.
    """
    return hashlib.blake2b(uid + times.to_bytes(4, "big"), digest_size=UID_BYTES).digest()


def outside_uid(family: str, package: str, name: str) -> bytes:
    """Return the 16-byte id of the definition with the qualified name `name` in a package outside of the repository;
    the package itself has its own name.
    """
    return derive_uid(family, f"\x00{package}", name, "", "")


def outside_number(uid: bytes) -> int:
    """Return the symbol id for the `uid` of a symbol outside of the repository: below zero, and the same in every
    index, so that it needs no lookup.
    """
    return -1 - int.from_bytes(uid[:7], "big")


def node_id(uid: bytes) -> str:
    """Return `uid` in the form of answers: 22 URL-safe characters."""
    return base64.urlsafe_b64encode(uid).decode().rstrip("=")


def uid_of(node: str) -> bytes | None:
    """Return the uid of the node id `node`, or None when the text is no node id."""
    if len(node) != NODE_ID_LENGTH:
        return None
    try:
        return base64.b64decode(node + "==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
