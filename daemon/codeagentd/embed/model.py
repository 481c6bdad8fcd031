"""The embedding model: a sentence model from a directory of the user, from the cache, or downloaded, or a static model
from such a directory or from this package. Texts become vectors of unit length.

Loaded in a process of its own (pipeline.embedding.embedding_process): loading takes a second and 150 MB, a broken model
may crash its process, and ending the process frees all of its memory.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from codeagentd.model.embedding import PACKAGED

if TYPE_CHECKING:
    from fastembed import TextEmbedding

LONGEST: Final = 128  # tokens of a text that count: longer ones cost time and memory and say little more
# texts at once: a quantised model gives a text another vector beside another text; and one thread is not faster with
# more
BATCH: Final = 1
PROBE_S: Final = 5.0  # seconds for an answer of the hub
HUB: Final = "https://huggingface.co"
CUSTOM: Final = "codeagentd/local"  # the name under which fastembed gets the user's directory
TOKENIZER: Final = "tokenizer.json"
STATIC: Final = "static"  # `model_type` in the config.json of a static model
INSTALL: Final = "pip install 'codeagentd[sentence-models]'"


class ModelChoice(msgspec.Struct, frozen=True):
    """The model to load: a name that fastembed knows, or a directory; `store` is the directory of downloaded models."""

    name: str
    directory: str
    store: str
    may_fetch: bool


class NoModel(Exception):
    """Raised when there is no usable model. `damaged`: a model was configured or downloaded, and cannot be used."""

    def __init__(self, reason: str, remedy: str, *, damaged: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.remedy, self.damaged = reason, remedy, damaged


class Model(Protocol):
    """A loaded model. Thread-safe; other threads run while it computes. `version`: vectors of different versions are
    never compared; `batch`: how many texts to give it at once; `reason`: why it is used in place of the chosen one, ''
    where it is that one.
    """

    name: str
    version: str
    dimensions: int
    batch: int
    reason: str
    remedy: str

    def encode(self, texts: Sequence[str]) -> list[Any]:
        """Return one float32 array of unit length for each of `texts`, in their order."""


class SentenceModel:
    """A sentence model in ONNX form. The runtime lets other threads run while it computes."""

    batch = BATCH

    def __init__(self, name: str, version: str, embedding: TextEmbedding) -> None:
        self.name = name
        self.dimensions = 0
        self.version = version
        self.reason = self.remedy = ""
        self._embedding = embedding

    def encode(self, texts: Sequence[str]) -> list[Any]:
        """Return one float32 array of unit length for each of `texts`, in their order."""
        return list(self._embedding.embed(texts, batch_size=BATCH))


def load(choice: ModelChoice) -> Model:
    """Return the chosen model, loaded, or the one of this package where the chosen one is not here and cannot be
    fetched, or its runtime is not installed. Errors: NoModel.
    """
    if choice.name == PACKAGED and not choice.directory:
        return _packaged()
    try:
        if choice.directory:
            return _from_directory(Path(choice.directory))
        with _damage(f"the model {choice.name}", f"remove {choice.store}, so that it is fetched again"):
            return _named(choice)
    except NoModel as error:
        if error.damaged:
            raise
        result = _packaged()
        result.reason, result.remedy = error.reason, error.remedy
        return result


def _packaged() -> Model:
    folder = Path(__file__).parent / "data" / PACKAGED
    with _damage(f"the model in {folder}", "install codeagentd again"):
        return _static(PACKAGED, folder)


def _static(name: str, folder: Path) -> Model:
    from .static_model import StaticModel

    return StaticModel(name, folder)


def _named(choice: ModelChoice) -> Model:
    _check_runtime()
    is_here = any(Path(choice.store).glob("*"))
    remedy = "set embedding.model_path to a directory that has it"
    if not is_here and not choice.may_fetch:
        raise NoModel(f"{choice.name} is not here, and fetching it is not allowed", remedy)
    if not is_here and not _hub_answers():
        raise NoModel(f"{choice.name} is not here, and its hub cannot be reached", remedy)
    import fastembed

    if choice.name not in {description["model"] for description in fastembed.TextEmbedding.list_supported_models()}:
        raise NoModel(
            f"fastembed knows no model {choice.name!r}",
            "choose another embedding.model, or name a directory by embedding.model_path",
            damaged=True,
        )
    embedding = fastembed.TextEmbedding(
        choice.name, cache_dir=choice.store, threads=1, local_files_only=not choice.may_fetch or not _hub_answers()
    )
    return _checked_model(choice.name, choice.name, embedding)


def _from_directory(folder: Path) -> Model:
    remedy = (
        f"put a sentence model in ONNX form there ({TOKENIZER}, config.json, *.onnx) or a static one ({TOKENIZER}, "
        "config.json, *.npy), or set embedding.model_path to one"
    )
    if not folder.is_dir():
        raise NoModel(f"{folder} is no directory", remedy, damaged=True)
    if _read_object(folder / "config.json").get("model_type") == STATIC:
        with _damage(f"the model in {folder}", remedy):
            return _static(folder.name, folder)
    collected = sorted([*folder.glob("*.onnx"), *folder.glob("onnx/*.onnx")])
    if not collected or not (folder / TOKENIZER).is_file():
        raise NoModel(f"{folder} has no {TOKENIZER if collected else '*.onnx file'}", remedy, damaged=True)
    _check_runtime()
    with _damage(f"the model in {folder}", remedy):
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType

        pooling = (
            PoolingType.CLS
            if _read_object(folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token")
            else PoolingType.MEAN
        )
        TextEmbedding.add_custom_model(
            model=CUSTOM, pooling=pooling, normalization=True, sources=ModelSource(hf=CUSTOM),
            dim=int(_read_object(folder / "config.json").get("hidden_size", 0)),
            model_file=collected[0].relative_to(folder).as_posix(),
        )  # fmt: skip
        embedding = TextEmbedding(CUSTOM, specific_model_path=str(folder), threads=1)
        digest = hashlib.blake2b(collected[0].read_bytes(), digest_size=8).hexdigest()
        return _checked_model(folder.name, f"{folder.name}@{digest}", embedding)


def _check_runtime() -> None:
    """Errors: NoModel when the runtime of sentence models, an extra, is not installed."""
    if importlib.util.find_spec("fastembed") is None:
        raise NoModel("sentence models need the package fastembed, which is not installed", INSTALL)


def _checked_model(name: str, version: str, embedding: TextEmbedding) -> Model:
    tokenizer = getattr(embedding.model, "tokenizer", None)
    if tokenizer is not None:
        tokenizer.enable_truncation(max_length=LONGEST)
    model = SentenceModel(name, version, embedding)
    model.dimensions = len(model.encode(["what cannot encode this is broken"])[0])
    return model


@contextmanager
def _damage(what: str, remedy: str) -> Iterator[None]:
    """Turn the errors of a library about a file that it cannot use into NoModel."""
    try:
        yield
    except NoModel:
        raise
    except Exception as error:
        raise NoModel(
            f"{what} cannot be loaded: {str(error).splitlines()[0][:200] if str(error) else type(error).__name__}",
            remedy,
            damaged=True,
        ) from error


def _read_object(file: Path) -> dict[str, Any]:
    try:
        result = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return result if isinstance(result, dict) else {}


def _hub_answers() -> bool:
    """Whether the model hub can be reached. Without a network the libraries would try for most of a minute."""
    import urllib.error  # 10 MB with TLS, which no daemon needs that has its model
    import urllib.request

    try:
        with urllib.request.urlopen(
            urllib.request.Request(os.environ.get("HF_ENDPOINT") or HUB, method="HEAD"), timeout=PROBE_S
        ):
            return True
    except urllib.error.HTTPError:
        return True
    except (OSError, ValueError):
        return False
