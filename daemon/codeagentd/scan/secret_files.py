"""Files that are never read because they are made to hold secrets: recognised by name and folder, or by their first
bytes.

Source code is read whatever its name: `secrets.py` and `tokenizer.py` are code, and secrets in them are redacted.
"""

from __future__ import annotations

import re
from typing import Final

# Everything below these belongs to a program that keeps keys there
_FOLDERS: Final = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".gcloud", ".kube", ".oci", ".password-store"})
# folders whose files are secrets unless they are code or prose
_HOLDING: Final = frozenset({"secrets", ".secrets", "credentials"})
_PLACES: Final = (
    ".docker/config.json",
    ".gem/credentials",
    ".cargo/credentials.toml",
    ".config/gh/hosts.yml",
    ".config/gcloud/credentials.db",
)

_NAMES: Final = frozenset(
    {
        ".envrc", ".netrc", "_netrc", ".pgpass", "pgpass.conf", ".htpasswd", ".htdigest", ".npmrc", ".pypirc",
        ".git-credentials", ".s3cfg", ".boto", ".my.cnf", ".mylogin.cnf", ".dockercfg", ".dockerconfigjson",
        ".vault-token", ".vault_pass", ".vault_pass.txt", ".terraformrc", "terraform.rc", ".rediscli_auth",
        ".bash_history", ".zsh_history", ".psql_history", ".mysql_history", ".python_history", "kubeconfig",
        "credentials", "shadow", "application_default_credentials.json", "accesstokens.json", "azureprofile.json",
    }
)  # fmt: skip
_SUFFIXES: Final = (
    ".pem", ".key", ".p8", ".p12", ".pfx", ".pkcs12", ".jks", ".jceks", ".bks", ".keystore", ".truststore", ".ppk",
    ".gpg", ".pgp", ".kdb", ".kdbx", ".agekey", ".keychain", ".ovpn", ".mobileprovision", ".tfstate", ".tfstate.backup",
    ".kubeconfig", ".htpasswd", ".pgpass",
)  # fmt: skip
_KEY_NAME: Final = re.compile(r"(?:.*[_.-])?id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[_-][^.]*)?(?:\..*)?")
_ENVIRONMENT: Final = re.compile(r"\.env(?:\..+)?|.+\.env")
# last parts of the names of template files
_HARMLESS: Final = ("example", "sample", "template", "dist", "defaults", "schema", "md", "ts", "js", "py")

# Files of data with such a word as their name's last one, or among at most two
_DATA: Final = frozenset(
    {
        "",
        "json",
        "yaml",
        "yml",
        "toml",
        "ini",
        "cfg",
        "conf",
        "config",
        "properties",
        "txt",
        "xml",
        "csv",
        "plist",
        "enc",
        "bak",
        "old",
        "tfvars",
    }
)
_WORDS: Final = re.compile(r"(?:^|[._ -])(?:credentials?|secrets?|passwd|passwords?|private[_-]?key|token)$")
_WORD: Final = re.compile(r"credentials?|secrets?|passwd|passwords?|token")
_PARTS: Final = re.compile(r"[._ -]+")
_ACCOUNT: Final = re.compile(r"(?:client[_-]?secret|service[_-]?account|gcp[_-]?key|firebase[_-]?adminsdk)")

_KEY: Final = re.compile(
    rb"\s*(?:#[^\n]*\n\s*){0,20}(?:-----BEGIN [A-Z0-9 ]{0,40}PRIVATE "
    rb"KEY|PuTTY-User-Key-File-|AGE-SECRET-KEY-1|openssh-key-v1)"
)
_SERVICE: Final = re.compile(rb'"type"\s*:\s*"service_account"')


def is_secret_file(path: str) -> bool:
    """Whether the repository-relative `path` names a file that must never be read."""
    folded = path.lower()
    *folders, name = folded.split("/")
    if name in _NAMES or name.endswith(_SUFFIXES) or not _FOLDERS.isdisjoint(folders) or folded.endswith(_PLACES):
        return True
    stem, dot, suffix = name.rpartition(".")
    stem, suffix = (stem, suffix) if dot and stem else (name, "")
    if _ENVIRONMENT.fullmatch(name):
        return suffix not in _HARMLESS
    return suffix in _DATA and (
        _KEY_NAME.fullmatch(name) is not None or not _HOLDING.isdisjoint(folders) or _is_called_secret(stem, suffix)
    )


def _is_called_secret(stem: str, suffix: str) -> bool:
    if suffix == "json" and _ACCOUNT.search(stem):
        return True
    words = [word for word in _PARTS.split(stem) if word]
    return bool(_WORDS.search(stem)) or (len(words) <= 2 and any(map(_WORD.fullmatch, words)) and bool(suffix))


def is_secret_text(sample: bytes) -> bool:
    """Whether `sample`, the first bytes of a file, show that it is a private key or the credentials of a service
    account.
    """
    sample = sample.removeprefix(b"\xef\xbb\xbf").lstrip()
    return _KEY.match(sample) is not None or (
        sample.startswith(b"{") and b"private_key" in sample and _SERVICE.search(sample) is not None
    )
