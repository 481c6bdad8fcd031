"""The embedding model as the daemon uses it: a process that is started on demand and ended when it is idle, and the
vectors that it computes.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.base.limits import MAX_EMBEDDED_SYMBOLS
from codeagentd.base.log import EventLog
from codeagentd.embed.model import ModelChoice
from codeagentd.model.embedding import EmbeddingState
from codeagentd.store.connection import Database

from .messages import Absent, Answer, Begin, Filled, Ranked, Ready, Request, Texts, Vectors, answer_decoder, encoder
from .symbol_ranking import SymbolRanking

URGENT_S: Final = 0.25  # seconds that a question waits for its vector; it takes 3 ms
PATIENT_S: Final = 60.0  # seconds for background work
REST_S: Final = 900.0  # seconds without use until the model is unloaded
AGAIN_S: Final = 3600.0  # seconds until a missing model is looked for again: there may be a network now
CRASHES: Final = 3  # in a row, after which there is no model
REMEMBERED: Final = 64  # vectors of questions: pages of one answer ask the same

_log = EventLog(__name__)


class VectorProcess:
    """One embedding process: its requests, and a thread that passes its answers to `on_answer`, with None for the end
    of the process.
    """

    def __init__(self, begin: Begin, on_answer: Callable[[VectorProcess, Answer | None], None]) -> None:
        environment = {"HF_HUB_DISABLE_TELEMETRY": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}
        command = module_command("codeagentd.pipeline.embedding.embedding_process")
        self._process = ChildProcess(command, environment=os.environ | environment)
        self._on_answer = on_answer
        self._lock = threading.Lock()
        self.pid = self._process.pid
        self.send(begin)

    def listen(self) -> None:
        """Begin to pass answers on, on a thread."""
        threading.Thread(target=self._listen, name="vectors", daemon=True).start()

    def send(self, request: Request) -> None:
        """Send a request. If the process is dead, the end of its output reports that."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._process.send(encoder.encode(request))

    def _listen(self) -> None:
        while content := self._process.receive():
            self._on_answer(self, answer_decoder.decode(content))
        self._process.wait()
        self._on_answer(self, None)

    def end(self) -> None:
        """Kill the process; the end of its output reports that."""
        self._process.kill()


class VectorStore:
    """The vectors of the index: has them computed, and writes them. Thread-safe; `advance`, `drop_orphans` and
    `unload_if_idle` belong to the writer's thread.

    `wake_writer` makes the writer check this object soon.
    """

    def __init__(
        self, root: Path, index: Path, blobs: Path, model: ModelChoice | None, wake_writer: Callable[[], None],
        max_symbols: int = MAX_EMBEDDED_SYMBOLS,
    ) -> None:  # fmt: skip
        self._begin = Begin(model, str(root), str(index), str(blobs)) if model else None
        self._wake_writer = wake_writer
        self._lock = threading.Lock()
        self._process: VectorProcess | None = None
        self._state = "resting" if model else "off"
        self._absent = Absent("", "", False)
        self._absent_at = 0.0
        self._crashes = 0
        self._ready = Ready("", "")
        self._numbers = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[list[bytes] | None]] = {}
        self._remembered: OrderedDict[str, bytes] = OrderedDict()
        self._used_at = time.monotonic()
        self._ranking = SymbolRanking(max_symbols)
        self._new_budgets: list[int | None] = []  # the budget that was asked for, until it is written
        self._filled: Filled | Ranked | None = None
        self._is_filling = False
        self._stale = True  # there may be symbols without vectors
        self._is_changed = False  # the index has changed since the last request
        self._checked = ""  # the model that computed the index's vectors, as far as checked
        self._count = self._pending = 0

    # -- from any thread
    @property
    def model(self) -> str:
        """The version of the model that is loaded; '' while there is none."""
        return self._ready.version if self._state == "ready" else ""

    @property
    def state(self) -> EmbeddingState:
        """The progress of the embeddings."""
        absent, process = self._absent, self._process
        pid = process.pid if process else 0
        # 1: not counted yet
        pending = max(self._pending, int(self._stale)) if self._state in ("resting", "loading", "ready") else 0
        ranking = self._ranking
        return EmbeddingState(
            self._state, self._ready.name, self._count, pending, absent.reason, absent.remedy, absent.is_damaged, pid,
            ranking.budget, max(ranking.eligible, self._count + pending),
        )  # fmt: skip

    def limit(self, symbols: int | None) -> None:
        """Let at most so many symbols of this index have a vector (0: all), instead of what the setting says; None: as
        many as the setting says.
        """
        self._new_budgets.append(symbols)
        self._stale = self._is_changed = True
        self._wake_writer()

    def wake(self) -> None:
        """Begin to load the model if it is not loaded; returns at once."""
        self._used_at = time.monotonic()
        if self._state == "resting":
            with self._lock:
                if self._state == "resting" and self._begin:
                    self._state = "loading"
                    self._process = VectorProcess(self._begin, self._take_answer)
                    self._process.listen()

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        """Compute one vector for each of `texts`, in their order (VECTOR_TYPE); None while no model is loaded, or when
        it takes too long. `urgent`: before the background work.
        """
        return self.begin(texts, urgent=urgent)()

    def begin(self, texts: Sequence[str], *, urgent: bool = False) -> Callable[[], list[bytes] | None]:
        """Start to compute what `embed` returns for `texts`. The result is a function that waits for the vectors; it
        may be called once.
        """
        self.wake()
        process = self._process
        if self._state != "ready" or process is None:
            return lambda: None
        if not [text for text in texts if text not in self._remembered]:
            result = [self._remembered[text] for text in texts]
            return lambda: result
        number = next(self._numbers)
        answer: queue.SimpleQueue[list[bytes] | None] = queue.SimpleQueue()
        self._waiting[number] = answer
        process.send(Texts(number, list(texts), urgent))
        return partial(self._answer, number, answer, texts, urgent=urgent)

    def _answer(
        self, number: int, answer: queue.SimpleQueue[list[bytes] | None], texts: Sequence[str], *, urgent: bool
    ) -> list[bytes] | None:
        try:
            vectors = answer.get(timeout=URGENT_S if urgent else PATIENT_S)
        except queue.Empty:
            return None
        finally:
            self._waiting.pop(number, None)
        if vectors and urgent:
            self._remember(texts, vectors)
        return vectors

    def _remember(self, texts: Sequence[str], vectors: Sequence[bytes]) -> None:
        with self._lock:
            self._remembered.update(zip(texts, vectors, strict=True))
            while len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)

    def note_change(self) -> None:
        """Note that the index has changed."""
        self._stale = self._is_changed = True

    # -- from the process
    def _take_answer(self, process: VectorProcess, answer: Answer | None) -> None:
        if process is not self._process:
            return  # from a process that was ended
        if isinstance(answer, Vectors):
            if waiting := self._waiting.pop(answer.number, None):
                waiting.put(answer.vectors)
            return
        if isinstance(answer, Filled | Ranked):
            self._filled, self._crashes = answer, 0
        elif isinstance(answer, Ready):
            self._ready, self._absent = answer, Absent(answer.reason, answer.remedy, False)
            self._state = "ready"
        elif isinstance(answer, Absent):
            self._note_absence(answer)
        else:
            self._note_crash()
        self._wake_writer()

    def _note_absence(self, absent: Absent) -> None:
        _log.info("no embedding model", reason=absent.reason)
        self._forget_process()
        self._absent, self._absent_at, self._state = absent, time.monotonic(), "absent"

    def _note_crash(self) -> None:
        self._crashes += 1
        self._forget_process()
        self._state = "resting"
        if self._crashes >= CRASHES:
            self._note_absence(
                Absent(
                    "the embedding process ended by itself, several times",
                    "see `codeagentd logs`; try another model",
                    True,
                )
            )

    def _forget_process(self) -> None:
        self._process, self._is_filling, self._filled = None, False, None
        self._ranking.interrupt()
        for waiting in list(self._waiting.values()):
            waiting.put(None)

    # -- from the writer
    @property
    def has_work(self) -> bool:
        """Whether there may be symbols without a vector of their present text, and a model to compute it."""
        return self._stale and self._state in ("resting", "loading", "ready")

    def advance(self, database: Database, facts: Database, may_work: Callable[[], bool]) -> None:
        """Write the vectors that were computed, to `database` (index.db) and `facts` (blobs.db), and request more where
        `may_work` allows background work.
        """
        while self._new_budgets:
            self._ranking.set_budget(database, self._new_budgets.pop(0))
            self._stale = True
        if self._state == "absent" and time.monotonic() - self._absent_at > AGAIN_S and not self._absent.is_damaged:
            self._state = "resting"
        if self._stale and self._state == "resting" and may_work():
            self.wake()
        if self._state != "ready":
            return
        if self._checked != self._ready.version:
            self._drop_other_models(database)
        filled, self._filled = self._filled, None
        if filled is not None:
            self._is_filling = False
        if isinstance(filled, Ranked):
            self._ranking.write_ranks(database, filled)
            self._count = database.value("vectors.count") if filled.is_last else self._count
        elif filled is not None:
            self._write_rows(filled, database, facts)
        process = self._process
        if self._stale and not self._is_filling and process and may_work():
            self._is_filling, self._is_changed, self._used_at = True, False, time.monotonic()
            process.send(self._ranking.next_request(database))

    def _drop_other_models(self, database: Database) -> None:
        """Drop the vectors of another model, which cannot be compared with those of the present one."""
        if database.value("writer.meta", ("vectors",), "") != self._ready.version:
            with database.transaction():
                for statement in ("vectors.drop", "vectors.drop_values", "vectors.all_due"):
                    database.run(statement)
                database.run("writer.set_meta", ("vectors", self._ready.version))
        self._ranking.open(database)
        self._count = database.value("vectors.count")
        self._checked, self._stale = self._ready.version, True

    def _write_rows(self, filled: Filled, database: Database, facts: Database) -> None:
        rows = [row for row in filled.rows if row.numbers]
        with facts.transaction():
            facts.run_many("vectors.cache", [(row.passage, row.numbers) for row in rows if row.is_new])
        with database.transaction():
            database.run_many("vectors.put", [(row.symbol, row.bits, row.content, row.passage) for row in rows])
            database.run_many("vectors.put_value", [(row.symbol, row.numbers) for row in rows])
            database.run_many("vectors.confirm", [(row.content, row.symbol) for row in filled.rows if not row.numbers])
            self._ranking.write_progress(database, filled)
        self._count += sum(row.is_first for row in rows)
        self._pending = filled.left
        self._stale = self._is_changed or not filled.is_all

    def unload_if_idle(self) -> None:
        """Unload a model that was not used for a while."""
        if self._state == "ready" and not self._stale and time.monotonic() - self._used_at > REST_S:
            process, self._process, self._state = self._process, None, "resting"
            self._forget_process()
            if process:
                process.end()

    def drop_orphans(self, database: Database) -> None:
        """Delete the vectors of symbols that `database` no longer has."""
        if not self._count:
            return
        with database.transaction():
            database.run("vectors.drop_orphans")
            self._ranking.drop_orphans(database)
            database.run("vectors.drop_orphaned_values")
        self._count = database.value("vectors.count")

    def close(self) -> None:
        """End the process."""
        process, self._process, self._state = self._process, None, "off"
        self._forget_process()
        if process:
            process.end()
