"""Reads the environment; a bad value refuses to start with a sentence that says so.

``NAME_FILE`` may hold the path of a file with the value of ``NAME``, for secrets.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import UUID

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from common.principal import ROLES

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off", ""}
_DATABASE_KEYS = {"dbname": "NAME", "user": "USER", "password": "PASSWORD"}


def optional(name: str) -> str | None:
    """Return a variable, or what the file named by ``NAME_FILE`` holds, or None."""
    if value := os.environ.get(name):
        return value
    path = os.environ.get(f"{name}_FILE")
    if not path:
        return None
    try:
        return Path(path).read_text("utf-8").strip()
    except OSError as exc:
        message = f"{name}_FILE names {path}, which cannot be read: {exc.strerror}."
        raise ImproperlyConfigured(message) from exc


def text(name: str, default: str | None = None) -> str:
    """Return a variable that must be there, unless a default is given."""
    value = optional(name) or default
    if value is None:
        message = f"{name} is not set. See .env.example for what it holds."
        raise ImproperlyConfigured(message)
    return value


def flag(name: str, *, default: bool) -> bool:
    """Return a yes or no."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() not in _TRUE | _FALSE:
        message = f"{name} is {value!r}. Write 1 or 0."
        raise ImproperlyConfigured(message)
    return value.lower() in _TRUE


def number(name: str, *, default: int, low: int, high: int) -> int:
    """Return a whole number between ``low`` and ``high``."""
    value = os.environ.get(name)
    if not value:
        return default
    if not value.isascii() or not value.isdigit() or not low <= int(value) <= high:
        message = f"{name} is {value!r}. Write a whole number from {low} to {high}."
        raise ImproperlyConfigured(message)
    return int(value)


def choice(name: str, choices: tuple[str, ...]) -> str:
    """Return one of some words; the first where nothing is said."""
    value = text(name, choices[0])
    if value not in choices:
        message = f"{name} is {value!r}. Write one of {', '.join(choices)}."
        raise ImproperlyConfigured(message)
    return value


def words(name: str, default: str) -> list[str]:
    """Return a comma-separated list without its empty entries."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


# Below this a text is one character or word again and again.
_LEAST_BITS = 68.0


def secret(name: str, *, shortest: int) -> str:
    """Return a secret of at least ``shortest`` characters that look random."""
    value = text(name)
    if len(value) < shortest:
        message = f"{name} has {len(value)} characters. Use at least {shortest} random ones."
        raise ImproperlyConfigured(message)
    if _bits(value) < _LEAST_BITS:
        message = (
            f"{name} is easy to guess. Use at least {shortest} random characters, such as what "
            "`python -c 'import secrets; print(secrets.token_urlsafe(48))'` prints."
        )
        raise ImproperlyConfigured(message)
    return value


def _bits(value: str) -> float:
    """Entropy of a text by how often its pairs of characters come (Shannon 1948). [bit]"""
    pairs = Counter(pairwise(value))
    total = sum(pairs.values())
    each = -sum(n / total * math.log2(n / total) for n in pairs.values())
    return each * total / 2


def web_url(name: str, default: str) -> str:
    """Return an http(s) address without its last slash."""
    value = text(name, default)
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        message = f"{name} is {value!r}. Write an address such as https://ampacity.example."
        raise ImproperlyConfigured(message)
    return value.rstrip("/")


def address(name: str) -> tuple[str, int] | None:
    """Return a HOST:PORT to listen at that may be left out."""
    value = optional(name)
    if value is None:
        return None
    host, _, port = value.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        message = f"{name} is {value!r}. Write an address such as 127.0.0.1:9100."
        raise ImproperlyConfigured(message)
    return host, int(port)


def objects() -> dict[str, Any] | None:
    """Return what leads to an object storage that speaks S3, or None without one.

    ``OBJECTS_URL`` names the bucket last: https://objects.example/ampacity. Browsers are sent to
    ``OBJECTS_PUBLIC_URL``, where they have another way to it.
    """
    if not optional("OBJECTS_URL"):
        return None
    parts = urlsplit(web_url("OBJECTS_URL", ""))
    bucket = parts.path.strip("/")
    if not bucket or "/" in bucket:
        message = "OBJECTS_URL must end in the bucket's name: https://objects.example/ampacity."
        raise ImproperlyConfigured(message)
    endpoint = f"{parts.scheme}://{parts.netloc}"
    return {
        "endpoint_url": endpoint,
        "public_url": web_url("OBJECTS_PUBLIC_URL", endpoint),
        "bucket_name": bucket,
        "region_name": text("OBJECTS_REGION", "us-east-1"),
        "access_key": text("OBJECTS_KEY"),
        "secret_key": text("OBJECTS_SECRET"),
    }


_MAIL_PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}


def mail() -> dict[str, Any] | None:
    """Return Django's settings of what sends mail, or None where nothing does.

    ``MAIL_URL`` is smtp://USER:PASSWORD@HOST:PORT (goes over to TLS by STARTTLS), smtps:// (TLS
    from the beginning) or smtp+plain:// (neither: for a relay on the same machine).
    ``MAIL_FOLDER`` takes messages instead of a server.
    """
    if where := folder("MAIL_FOLDER"):
        backend = "django.core.mail.backends.filebased.EmailBackend"
        return {"backend": backend, "file_path": str(where)}
    value = optional("MAIL_URL")
    if value is None:
        return None
    parts = urlsplit(value)
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in _MAIL_PORTS or not parts.hostname or port == -1:
        message = "MAIL_URL must look like smtp://USER:PASSWORD@mail.example:587 (or smtps://)."
        raise ImproperlyConfigured(message)
    return {
        "backend": "django.core.mail.backends.smtp.EmailBackend",
        "host": parts.hostname,
        "port": port or _MAIL_PORTS[parts.scheme],
        "username": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "use_tls": parts.scheme == "smtp",
        "use_ssl": parts.scheme == "smtps",
        "timeout": 5,
    }


def openid() -> dict[str, Any] | None:
    """Return what leads to a provider of sign-in (OpenID Connect), or None without one.

    ``OIDC_ROLES`` says which group has which role where, as JSON: {"GROUP": "WORKSPACE:ROLE"},
    or a list of such texts.
    """
    if not optional("OIDC_ISSUER"):
        return None
    issuer = text("OIDC_ISSUER")
    web_url("OIDC_ISSUER", "")
    return {
        # as it is written: tokens name it letter by letter
        "issuer": issuer,
        "name": text("OIDC_NAME", urlsplit(issuer).hostname),
        "client_id": text("OIDC_CLIENT_ID"),
        "client_secret": text("OIDC_CLIENT_SECRET"),
        "scopes": text("OIDC_SCOPES", "openid email"),
        "groups_claim": text("OIDC_GROUPS_CLAIM", "groups"),
        "roles": _group_roles("OIDC_ROLES"),
        "private_hosts": words("OIDC_PRIVATE_HOSTS", ""),
    }


def saml() -> dict[str, Any] | None:
    """Return what leads to an identity provider of SAML, or None without one.

    ``SAML_KEY`` and ``SAML_CERTIFICATE`` are PEM, or its base64 in one line: with them requests are
    signed, and assertions may be encrypted. ``SAML_ROLES`` is as ``OIDC_ROLES``.
    """
    if not optional("SAML_METADATA_URL"):
        return None
    url = web_url("SAML_METADATA_URL", "")
    key, certificate = optional("SAML_KEY"), optional("SAML_CERTIFICATE")
    if bool(key) != bool(certificate):
        message = "SAML_KEY and SAML_CERTIFICATE are a pair: set both, or neither."
        raise ImproperlyConfigured(message)
    return {
        "metadata_url": url,
        "name": text("SAML_NAME", urlsplit(url).hostname),
        "key": key or "",
        "certificate": certificate or "",
        "groups_attribute": text("SAML_GROUPS_ATTRIBUTE", "groups"),
        "roles": _group_roles("SAML_ROLES"),
        "private_hosts": words("SAML_PRIVATE_HOSTS", ""),
    }


def _group_roles(name: str) -> dict[str, list[tuple[UUID, str]]]:
    value = optional(name)
    if value is None:
        return {}
    try:
        given = json.loads(value)
        places = {
            group: [_place(one) for one in ([said] if isinstance(said, str) else said)]
            for group, said in given.items()
        }
    except (ValueError, AttributeError, TypeError) as exc:
        message = f'{name} must be JSON such as {{"planners": "WORKSPACE-ID:editor"}}: {exc}.'
        raise ImproperlyConfigured(message) from exc
    return places


def _place(said: str) -> tuple[UUID, str]:
    workspace, _, role = said.partition(":")
    if role not in ROLES:
        message = f"{said!r} does not end in one of {', '.join(ROLES)}"
        raise ValueError(message)
    return UUID(workspace), role


def folder(name: str) -> Path | None:
    """Return a folder that may be left out but must exist when given."""
    value = optional(name)
    if value is None:
        return None
    if not Path(value).is_dir():
        message = f"{name} is {value!r}, which is not a folder."
        raise ImproperlyConfigured(message)
    return Path(value).resolve()


def database(name: str) -> dict[str, Any]:
    """Return Django's settings of the PostgreSQL database that a URL names.

    Connections persist and are checked before use: with a pool, or without the
    check, a restart of the server would be felt for ever.
    """
    value = text(name)
    if not value.startswith(("postgresql://", "postgres://")):
        message = f"{name} must start with postgresql://; no other database is supported."
        raise ImproperlyConfigured(message)
    try:
        parts = conninfo_to_dict(value)
    except ProgrammingError as exc:
        message = f"{name} is not a PostgreSQL URL: {str(exc).strip()}."
        raise ImproperlyConfigured(message) from exc
    if not parts.get("dbname") or not parts.get("user"):
        message = f"{name} must name a role and a database: postgresql://ROLE@HOST/DATABASE."
        raise ImproperlyConfigured(message)
    settings = {key: parts.pop(part, "") for part, key in _DATABASE_KEYS.items()}
    return {
        "ENGINE": "common.postgres",
        **settings,
        "HOST": parts.pop("host", ""),
        "PORT": str(parts.pop("port", "")),
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        # A pooler may give each transaction another connection of the server: nothing is
        # kept in one beyond that, neither cursors nor prepared statements.
        "DISABLE_SERVER_SIDE_CURSORS": True,
        "OPTIONS": {**parts, "prepare_threshold": None},
    }
