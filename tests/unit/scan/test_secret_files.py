"""Files that hold secrets are known by their name and place, or by how they begin; code is not among them."""

from __future__ import annotations

import pytest

from codeagentd.scan.secret_files import is_secret_file, is_secret_text


@pytest.mark.parametrize(
    "path",
    [
        ".env", "app/.env.local", ".env.production", "docker/prod.env", ".envrc", "certs/server.pem", "tls.key", "id_rsa", "deploy/id_ed25519",
        "keys/id_rsa.old",
        "backup_id_ecdsa", ".netrc", "_netrc", ".pgpass", "www/.htpasswd", ".npmrc", ".pypirc", "credentials", "credentials.json", "credentials.yml.enc",
        "gcp-credentials.json", "config/aws_credentials", "kubeconfig", "ops/prod.kubeconfig", "infra/terraform.tfstate", "terraform.tfstate.backup",
        "service-account.json", "my-service_account-prod.json", "client_secret_1234.apps.example.json", "release.keystore", "store.p12", "store.pfx", "a.jks",
        "home/.aws/config", "x/.ssh/config", ".gnupg/trustdb", ".docker/config.json", ".kube/config", "secrets.yaml", "k8s/db-secret.yaml", "token.json",
        "github_token", "github_token.txt", "passwords.txt", "old_passwords.csv", "secrets/database.yml", "config/credentials/production.json", "vault.kdbx",
        "SECRETS.YAML", ".Env", "private_key.txt", ".git-credentials", "AuthKey_A1.p8", "secret.prod.yaml",
    ],
)  # fmt: skip
def test_a_file_made_for_secrets_is_known_by_its_path(path: str) -> None:
    assert is_secret_file(path)


@pytest.mark.parametrize(
    "path",
    [
        "tokenizer.py", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "tokens.json", "secrets.py", "auth/password.py",
        "src/secrets/store.py",
        "credentials/README.md", "token.go", "TokenType.java", ".env.example", ".env.sample", "app/.env.template", ".env.d.ts", "environment.yml", "env.py",
        "keys.py",
        "id_rsa.pub", "deploy/id_ed25519.pub", "monkey.py", "keyboard.json", "package.json", "public.crt", "config.json", "docker/config.json", "aws/config.py",
        "docs/secrets.md", "secretary.json", "password-reset-form.html", "passwordless-login-flow.yaml", "id_rsa_parser.py", "grid_rsa.txt", "shadow.css",
        "translations/forgot_password_page_texts.json",
    ],
)  # fmt: skip
def test_code_examples_public_keys_and_prose_are_read(path: str) -> None:
    assert not is_secret_file(path)


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIB", "\n\n-----BEGIN PRIVATE" + " KEY-----\n", "\ufeff-----BEGIN OPENSSH PRIVATE" + " KEY-----\n",
        "# deploy key\n-----BEGIN EC PRIVATE" + " KEY-----\n", "PuTTY-User-Key" + "-File-3: ssh-rsa\n", "AGE-SECRET" + "-KEY-1QPZ\n",
        '{"type": "service_account", "private_key": "-----BEGIN"}',
    ],
)  # fmt: skip
def test_a_key_is_known_by_how_it_begins(text: str) -> None:
    assert is_secret_text(text.encode())


def test_code_that_mentions_a_key_is_no_key() -> None:
    assert not is_secret_text(b'HEADER = "-----BEGIN PRIVATE KEY-----"\n')
    assert not is_secret_text(b'ACCOUNT = {"type": "service_account", "private_key": load()}\n')
    assert not is_secret_text(b'{"type": "service_account"}')
    assert not is_secret_text(b"")
