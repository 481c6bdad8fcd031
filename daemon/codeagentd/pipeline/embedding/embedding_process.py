"""The embedding process: `python -m codeagentd.pipeline.embedding.embedding_process`, frames on stdin and stdout.

It has two threads: the main thread embeds for requests that wait; the other one, of low priority, works in the
background and pauses while a request is answered.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final

from codeagent_protocol import pipes
from codeagentd.base.host_load import lower_priority
from codeagentd.base.paths import Jail
from codeagentd.embed.model import Model, NoModel, load
from codeagentd.embed.stored_vectors import stored_vectors
from codeagentd.model.embedding import VECTOR_TYPE, StoredVector, of_numbers
from codeagentd.store.connection import Database

from .messages import (
    Absent,
    Answer,
    Begin,
    Fill,
    Filled,
    Rank,
    Ranked,
    Ready,
    Request,
    Texts,
    VectorRow,
    Vectors,
    encoder,
    request_decoder,
)
from .passages import Passage, passages
from .symbol_queue import SymbolQueue

SWITCH_S: Final = 0.0005  # a request would wait for Python's 5 ms several times while a batch is prepared
QUIET_S: Final = 0.04  # seconds after a question: a search takes 25 ms, and more beside a model that has the other core


class Filler:
    """Finds symbols without a vector of their present text, and embeds them. Used by one thread."""

    def __init__(self, model: Model, begin: Begin, yield_to_requests: Callable[[], None]) -> None:
        self._model = model
        self._begin = begin
        self._yield_to_requests = yield_to_requests
        self._jail = Jail(Path(begin.root))
        self._symbols = SymbolQueue()

    def rank(self, budget: int) -> Ranked | Filled:
        """Rank the symbols of the index, and return the first part of the ranking."""
        database = Database(self._begin.index)
        try:
            with database.transaction("DEFERRED"):
                self._symbols.rank(database, budget)
        finally:
            database.close()
        return self.fill()

    def fill(self) -> Ranked | Filled:
        """Return the next part of a ranking, or else the vectors of the next few symbols, which it computes."""
        if ranked := self._symbols.next_ranks():
            return ranked
        database = Database(self._begin.index)
        try:
            with database.transaction("DEFERRED"):
                batch = self._symbols.take(database)
                result = passages(database, self._jail, self._model.version, batch.symbols)
        finally:
            database.close()
        is_all = not (batch.symbols or batch.looked_at or batch.files)
        return Filled(
            self._rows(result), batch.left, batch.looked_at, batch.files, batch.chosen, batch.has_left_out, is_all
        )

    def _rows(self, batch: list[Passage]) -> list[VectorRow]:
        blobs = Database(self._begin.blobs)
        try:
            known = {
                passage.digest: numbers
                for passage in batch
                if passage.was != passage.digest
                and (numbers := blobs.value("vectors.cached", (passage.digest,)))
                and len(numbers) == self._model.dimensions  # some come from the store of a team
            }
        finally:
            blobs.close()
        fresh = {
            passage.digest: passage.text
            for passage in batch
            if passage.was != passage.digest and passage.digest not in known
        }
        encoded = self._encoded(fresh)
        rows = []
        for passage in batch:
            if passage.was == passage.digest:
                rows.append(VectorRow(passage.symbol, passage.content, passage.digest))
            else:
                vector = encoded.get(passage.digest) or of_numbers(known[passage.digest])
                rows.append(
                    VectorRow(
                        passage.symbol,
                        passage.content,
                        passage.digest,
                        *vector,
                        passage.was is None,
                        passage.digest in encoded,
                    )
                )
        return rows

    def _encoded(self, texts: dict[bytes, str]) -> dict[bytes, StoredVector]:
        digests, result = [*texts], dict[bytes, StoredVector]()
        for at in range(0, len(digests), self._model.batch):
            self._yield_to_requests()
            batch = digests[at : at + self._model.batch]
            vectors = self._model.encode([texts[digest] for digest in batch])
            result.update(zip(batch, stored_vectors(vectors), strict=True))
        return result


class Worker:
    """The embedding process's loop: answers the daemon's requests until stdin ends."""

    def __init__(self, model: Model, begin: Begin) -> None:
        self._model = model
        self._asked_at = -QUIET_S
        self._filler = Filler(model, begin, self._yield_to_requests)
        self._background: queue.SimpleQueue[Texts | Fill | Rank] = queue.SimpleQueue()
        self._lock = threading.Lock()

    def run(self, stdin: BinaryIO) -> None:
        """Read requests until the end of `stdin`, and answer each."""
        threading.Thread(target=self._work, name="background", daemon=True).start()
        model = self._model
        self.send(Ready(model.name, model.version, model.reason, model.remedy))
        while request := receive(stdin):
            if isinstance(request, Texts) and request.is_urgent:
                self._asked_at = time.monotonic()
                self._embed(request)
            elif not isinstance(request, Begin):
                self._background.put(request)

    def _work(self) -> None:
        # on other systems the whole process would get low priority, and a request may wait for it
        if sys.platform == "linux":
            lower_priority(threading.get_native_id())
        try:
            while True:
                request = self._background.get()
                if isinstance(request, Fill):
                    self.send(self._filler.fill())
                elif isinstance(request, Rank):
                    self.send(self._filler.rank(request.budget))
                else:
                    self._embed(request)
        except BaseException:
            os._exit(1)  # half a process answers no request; the daemon starts another
            raise

    def _yield_to_requests(self) -> None:
        """Leave the processor to a request for a moment, because the daemon works on the rest of its answer now. Called
        once for each batch of texts, so that the background always makes progress.
        """
        time.sleep(max(0.0, self._asked_at + QUIET_S - time.monotonic()))

    def _embed(self, request: Texts) -> None:
        self.send(
            Vectors(
                request.number, [vector.astype(VECTOR_TYPE).tobytes() for vector in self._model.encode(request.texts)]
            )
        )

    def send(self, answer: Answer) -> None:
        """Write `answer` to stdout as a frame."""
        with self._lock:
            _write(answer)


def receive(stdin: BinaryIO) -> Request | None:
    """Read the next request from `stdin`; None at its end."""
    content = pipes.receive(stdin)
    return request_decoder.decode(content) if content else None


def _write(answer: Answer) -> None:
    pipes.send(1, encoder.encode(answer))


def main() -> int:
    """Run the embedding process; return its exit status."""
    stdin = sys.stdin.buffer
    begin = receive(stdin)
    if not isinstance(begin, Begin):
        return 2
    sys.setswitchinterval(SWITCH_S)
    out, sys.stdout = sys.stdout, sys.stderr  # output of a library must not get between the frames
    try:
        model = load(begin.model)
    except NoModel as error:
        _write(Absent(error.reason, error.remedy, error.damaged))
        return 0
    Worker(model, begin).run(stdin)
    out.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
