"""Entries of packs: what one file's content says, readable only by those who have that content.

The name and the key of an entry follow from the digest of the file's content. Whoever lists a store sees random names,
and can neither ask for the facts of a file that they do not have nor read them: a proof of possession without a server.
"""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from codeagent_protocol.errors import StoreFailed
from codeagentd.base import zstd

ID_BYTES: Final = 16
NONCE_BYTES: Final = 12
VECTORS: Final = "vectors of "  # begins the kind of entries with vectors; the model's name follows
# of one entry, unpacked: of Linux 6.1's files the longest facts have 9 MB
MAX_CONTENT_BYTES: Final = 256_000_000


class Key(NamedTuple):
    """The identity of an entry. `digest`: of the file's content, as the index stores it; `kind`: a language, or
    vectors of a model; `version`: of the extraction of that language, 0 for vectors.
    """

    digest: bytes
    kind: str
    version: int

    @property
    def id(self) -> bytes:
        """The name of the entry in packs."""
        return self._derived(b"id", ID_BYTES)

    def _derived(self, use: bytes, size: int) -> bytes:
        text = f"{self.kind}\0{self.version}".encode()
        return hashlib.blake2b(text, digest_size=size, key=self.digest, person=b"codeagentd " + use).digest()

    @property
    def _cipher(self) -> AESGCM:
        return AESGCM(self._derived(b"key", 32))


def sealed(key: Key, content: bytes) -> bytes:
    """Return the entry with this content: equal for equal content, whoever makes it."""
    nonce = hashlib.blake2b(content, digest_size=NONCE_BYTES, person=b"codeagentd nonce").digest()
    return nonce + key._cipher.encrypt(nonce, content, None)


def unsealed(key: Key, entry: bytes) -> bytes:
    """Return the content of an entry. Errors: db_error for one that is damaged, or was made for other content."""
    try:
        return key._cipher.decrypt(entry[:NONCE_BYTES], entry[NONCE_BYTES:], None)
    except (InvalidTag, ValueError):
        raise StoreFailed(
            "an entry of the store is damaged, or was not made for this file", remedy="tell whoever fills the store"
        ) from None


def unpacked(frame: bytes) -> bytes:
    """Return what a zstd frame holds, at most MAX_CONTENT_BYTES. Errors: db_error for what is no such frame."""
    try:
        return zstd.decompressed_up_to(frame, MAX_CONTENT_BYTES)
    except zstd.ZstdError:
        raise StoreFailed("an entry of the store holds no facts", remedy="tell whoever fills the store") from None
