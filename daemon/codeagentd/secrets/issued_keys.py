"""Keys with an issuer's mark: a prefix or inner mark that no other text has, followed by enough characters of a key.

They count as keys in any place, also if the characters after the mark look like words by chance or contain no digit.
"""

from __future__ import annotations

import re
from typing import Final

_BASE62: Final = "[A-Za-z0-9]"
_PREFIXES: Final[tuple[tuple[str, str], ...]] = (  # a prefix, and the pattern of the rest of a key
    (r"hf_", rf"{_BASE62}{{30,}}"),
    (r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-", r"[\w-]{20,}"),
    (r"gh[pousr]_", rf"{_BASE62}{{30,}}"),
    (r"github_pat_", r"\w{22,}"),
    (r"[rs]k_(?:live|test|prod)_", rf"{_BASE62}{{16,}}"),
    (r"whsec_", r"[A-Za-z0-9+/=]{32,}"),
    (r"npm_", rf"{_BASE62}{{36}}"),
    (r"AIza", r"[\w-]{35}"),
    (r"lin_api_", rf"{_BASE62}{{32,}}"),
    (r"sq0[a-z]{3}-", r"[\w-]{22,}"),
    (r"dckr_[po]at_", r"[\w-]{27,}"),
    (r"sk-", rf"(?:{_BASE62}{{32,}}|(?:proj|ant|or|svcacct|admin)-[\w-]{{20,}})"),
    (r"xox[abeprs]-", r"[\w-]{20,}"),
    (r"xapp-", r"[\w-]{20,}"),
    (r"do[opr]_v1_", r"[0-9a-f]{64}"),
    (r"shp(?:at|ca|pa|ss)_", r"[0-9a-fA-F]{32}"),
    (r"hv[sbr]\.", r"[\w-]{24,}"),
    (r"pypi-AgE", r"[\w-]{50,}"),
    (r"rubygems_", r"[0-9a-f]{48}"),
    (r"pscale_(?:pw|tkn|oauth)_", r"[\w.-]{32,}"),
    (r"NRAK-", r"[A-Z0-9]{27}"),
    (r"HRKU-AA", r"[\w-]{20,}"),
    (r"AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    (r"dapi(?=[0-9a-f])", r"[0-9a-f]{32}"),
    (r"key-(?=[0-9a-f]{32})", r"[0-9a-f]{32}"),
    (r"SG\.", r"[\w-]{16,}\.[\w-]{16,}"),
    (r"GOCSPX-", r"[\w-]{20,}"),
    (r"ya29\.", r"[\w-]{20,}"),
    (r"gsk_", rf"{_BASE62}{{40,}}"),
    (r"eyJ", r"[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}"),
    (
        r"A(?:KI|SI|RO|ID)A(?=[A-Z0-9])",
        r"[A-Z0-9]{12,}",
    ),  # not a secret alone: the issuers' rules need the other half of the pair near it
)
_MARKED: Final = re.compile(rf"\b(?:{'|'.join(prefix for prefix, _ in _PREFIXES)})")
_KEYS: Final = re.compile(rf"\b(?:{'|'.join(prefix + rest for prefix, rest in _PREFIXES)})")
_INNER: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (  # a mark in the middle, and the pattern of the whole key
    ("Q~", re.compile(r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,40}")),  # Azure's client secrets
    (":AA", re.compile(r"(?<!\d)\d{8,10}:AA[\w-]{32,}")),  # bot tokens of Telegram, in URLs after the word bot
    (
        "hooks.slack.com",
        re.compile(r"(hooks\.slack\.com/(?:services|workflows)/\w{8,16}/\w{8,16}/(?:\d{8,24}/)?)[\w-]{20,}"),
    ),
    ("/webhooks/", re.compile(r"(discord(?:app)?\.com/api/(?:v\d{1,2}/)?webhooks/\d{16,20}/)[\w-]{40,}")),
)
# it is a key only if its line mentions the issuer
_HEROKU: Final = re.compile(r"(heroku[^\n]{0,60}?)\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.IGNORECASE)
_BASE32: Final = re.compile(r"[a-z2-7]{52}")  # tokens of Azure DevOps


def without_issued(text: str, folded: str, removed: str) -> tuple[str, bool]:
    """Return `text` with `removed` in place of each key with an issuer's mark, and whether another mark remains about
    which an issuer's rule may know more.

    `folded`: the text in lower case.
    """
    is_doubtful = _MARKED.search(text) is not None
    if is_doubtful:
        text = _KEYS.sub(removed, text)
        is_doubtful = _MARKED.search(text) is not None
    for mark, key in _INNER:
        if mark in text:
            text = _without(text, key, removed)
    return _without(text, _HEROKU, removed) if "heroku" in folded else text, is_doubtful


def _without(text: str, key: re.Pattern[str], removed: str) -> str:
    """Replace a key, and keep the text before it that the expression captures as a group."""
    return key.sub(lambda match: (match[1] if key.groups else "") + removed, text)


def is_marked(text: str) -> bool:
    """Whether `without_issued` may find a key in `text`. It is also true for some texts without one."""
    return _MARKED.search(text) is not None or any(mark in text for mark, _ in _INNER) or "heroku" in text.lower()


def is_issued(part: str) -> bool:
    """Whether `part`, a run of letters and digits, by itself has a form that only keys have."""
    return len(part) == 52 and _BASE32.fullmatch(part) is not None
