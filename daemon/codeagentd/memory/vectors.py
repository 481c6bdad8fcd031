"""Vectors of memories: computed at once when a model is loaded, else in the background when one becomes available."""

from __future__ import annotations

from codeagentd.model.embedding import Embedder
from codeagentd.store.memory_backend import MemoryConnection

from .candidates import Vector
from .memory_store import MemoryStore

BATCH = 16  # texts embedded at once in the background: about a second on one core


def vector_of(db: MemoryConnection, model: str, vector: bytes) -> Vector:
    """Return `vector` with the number of the model named `model`; a new model gets a number."""
    if not vector:
        return Vector()
    number = db.value("recall.model", (model,)) or db.value("recall.put_model", (model,))
    return Vector(int(number), vector)


def known_vector(db: MemoryConnection, model: str, vector: bytes) -> Vector:
    """Return `vector` with the number of the model named `model`, without writing; no vector where the model has no
    number yet.
    """
    number = db.value("recall.model", (model,), 0) if vector else 0
    return Vector(int(number), vector) if number else Vector()


def put(db: MemoryConnection, number: int, digest: bytes, vector: Vector) -> None:
    """Store the vector of the memory `number`. `digest`: of its text. Without a vector, that of its former text is
    removed.
    """
    db.run("recall.delete_bits", {"number": number})
    if vector.is_there:
        db.recall.put_vector(number, digest, vector.model, vector.vector)


def catch_up(memories: MemoryStore, embedder: Embedder, after: int) -> int:
    """Compute the missing vectors of a few memories with numbers from `after` on.

    Returns: the number to continue from; 0 when all have a vector, or no model is loaded.
    """
    model = embedder.model
    if not model:
        return 0
    with memories.store.read() as db:
        parameters = {"model": db.value("recall.model", (model,), 0), "after": after, "limit": BATCH}
        rows = db.all("recall.without_vector", parameters)
    missing = [row for row in rows if row[4] is None]
    embeddings = embedder.embed([f"{title}\n{content}" for _, title, content, _, _ in missing]) if missing else []
    if embeddings is None or embedder.model != model:
        return 0
    vectors = {row[0]: vector for row, vector in zip(missing, embeddings, strict=True)} | {
        row[0]: row[4] for row in rows if row[4] is not None
    }
    if vectors:
        with memories.store.write() as db:
            for number, _, _, digest, _ in rows:
                if db.value("recall.still_has", (number, digest)):
                    put(db, number, digest, vector_of(db, model, vectors[number]))
    return rows[-1][0] if len(rows) == BATCH else 0
