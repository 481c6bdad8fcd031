"""Zstandard (RFC 8878) from the standard library, or for Python before 3.14 from its backport."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, compress, decompress
else:
    from backports.zstd import ZstdDecompressor, ZstdError, compress, decompress

__all__ = ["MAGIC", "ZstdError", "compress", "decompress", "decompressed_up_to"]

MAGIC = b"\x28\xb5\x2f\xfd"  # the first bytes of a frame


def decompressed_up_to(frame: bytes, limit: int) -> bytes:
    """Return what `frame` holds, a single frame from an untrusted source. Errors: ZstdError for anything else, and for
    more than `limit` bytes.
    """
    decompressor = ZstdDecompressor()
    content = decompressor.decompress(frame, max_length=limit)
    if not decompressor.eof or decompressor.unused_data:
        raise ZstdError(f"no frame of at most {limit} bytes")
    return content
