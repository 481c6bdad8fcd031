"""Manifests: the packs that have the entries of one tree of git, found by the tree's own name, signed if wanted."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from codeagent_protocol.errors import CodedError, InvalidParameter, StoreFailed

from .packs import PackRef

FORMAT: Final = 1
MAX_MANIFEST_BYTES: Final = 16_000_000
KEY_PREFIX: Final = "ed25519:"

Signer = Ed25519PrivateKey
Verifier = Ed25519PublicKey


class Manifest(msgspec.Struct, frozen=True):
    """The packs of a tree. `tree`: the name of the manifest, so that one tree's is never taken for another's; `files`:
    how many files have facts in these packs; `created`: unix seconds.
    """

    format: int
    tree: str
    packs: list[PackRef]
    files: int = 0
    created: float = 0.0

    @property
    def bytes(self) -> int:
        """The bytes of all packs."""
        return sum(pack.size for pack in self.packs)


class _Signed(msgspec.Struct, frozen=True, array_like=True):
    """A manifest as it is stored: its bytes, and signatures of them as (public key, signature)."""

    body: bytes
    signatures: list[tuple[bytes, bytes]] = []


class Refused(StoreFailed):
    """Raised for a manifest that is not to be used: damaged, of another tree or a later version, or signed by nobody
    who is trusted.
    """


def manifest_key(tree: str, prefix: str) -> str:
    """Return the name of the manifest of `tree` (git's name of it) for the files below the folder `prefix`."""
    name = hashlib.blake2b(
        f"{tree}\0{prefix}".encode("utf-8", "surrogateescape"), digest_size=20, person=b"codeagentd tree"
    )
    return f"trees/{name.hexdigest()}.manifest"


def encoded(manifest: Manifest, signer: Signer | None) -> bytes:
    """Return the bytes of a manifest, signed by `signer` if there is one."""
    body = msgspec.msgpack.encode(manifest)
    signatures = [(signer.public_key().public_bytes_raw(), signer.sign(body))] if signer else []
    return msgspec.msgpack.encode(_Signed(body, signatures))


def decoded(data: bytes, key: str, trusted: Sequence[Verifier]) -> Manifest:
    """Return the manifest that was found under the name `key`. With `trusted` keys, one of them has to have signed it.

    Errors: db_error for a damaged one, one of another tree, one of a later version, and one that nobody trusted signed.
    """
    try:
        signed = msgspec.msgpack.decode(data, type=_Signed)
        version = msgspec.msgpack.decode(signed.body, type=dict[str, msgspec.Raw]).get("format")
        if version is not None and msgspec.msgpack.decode(version, type=int) > FORMAT:
            raise Refused(
                f"{key} was written by a later version of codeagentd", remedy="`pip install --upgrade codeagentd`"
            )
        manifest = msgspec.msgpack.decode(signed.body, type=Manifest)
    except msgspec.MsgspecError:
        raise Refused(f"{key} of the store is damaged", remedy="push the tree again") from None
    if manifest.format != FORMAT or manifest.tree != key:
        raise Refused(f"{key} of the store belongs to another tree", remedy="tell whoever fills the store")
    if trusted and not any(_has_signed(owner, signed) for owner in trusted):
        raise Refused(
            f"{key} of the store is not signed by a key of share.trusted_keys", remedy="tell whoever fills the store"
        )
    return manifest


def _has_signed(owner: Verifier, signed: _Signed) -> bool:
    for public, signature in signed.signatures:
        if public == owner.public_bytes_raw():
            try:
                owner.verify(signature, signed.body)
            except InvalidSignature:
                continue
            return True
    return False


# -- keys
def new_key() -> tuple[str, str]:
    """Return a new private key and its public key, as texts."""
    private = Ed25519PrivateKey.generate()
    return _text(private.private_bytes_raw()), public_text(private)


def public_text(private: Signer) -> str:
    """Return the public key of `private` as a text for share.trusted_keys."""
    return _text(private.public_key().public_bytes_raw())


def private_key(text: str) -> Signer:
    """Return the private key that `text` holds. Errors: invalid_parameter."""
    return Ed25519PrivateKey.from_private_bytes(_bytes(text, "share.sign_with"))


def public_key(text: str) -> Verifier:
    """Return the public key that `text` holds. Errors: invalid_parameter."""
    return Ed25519PublicKey.from_public_bytes(_bytes(text, "share.trusted_keys"))


def _text(raw: bytes) -> str:
    return KEY_PREFIX + base64.b64encode(raw).decode()


def _bytes(text: str, setting: str) -> bytes:
    wrong: CodedError = InvalidParameter(
        f"{setting}: this is no key of `codeagentd share key`",
        remedy=f"a key begins with {KEY_PREFIX}",
        parameter=setting,
    )
    if not text.strip().startswith(KEY_PREFIX):
        raise wrong
    try:
        raw = base64.b64decode(text.strip().removeprefix(KEY_PREFIX), validate=True)
    except ValueError:
        raise wrong from None
    if len(raw) != 32:
        raise wrong
    return raw
