"""Settings of the operators' pages: a process with a role, a schema and accounts of its own.

It knows neither the app's role nor its tables: see ``operators.models``.
"""

from __future__ import annotations

from typing import Any

from config import env
from config.logs import logging_settings

DEBUG = False
SECRET_KEY = env.secret("OPERATORS_SECRET_KEY", shortest=32)
ALLOWED_HOSTS = env.words("OPERATORS_HOSTS", "127.0.0.1,localhost")
HTTPS = env.flag("OPERATORS_HTTPS", default=False)


def _own(name: str) -> dict[str, Any]:
    """A connection on which nothing but the schema is looked for."""
    found = env.database(name)
    return {**found, "OPTIONS": {**found["OPTIONS"], "options": "-c search_path=operators"}}


DATABASES = {"default": _own("DATABASE_OPERATOR_URL")}
# Only where accounts are made and the schema is.
if env.optional("DATABASE_OWNER_URL"):
    DATABASES["owner"] = _own("DATABASE_OWNER_URL")

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    *("django.contrib.admin.apps.SimpleAdminConfig", "django.contrib.auth"),
    *("django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages"),
    *("django.contrib.staticfiles", "operators"),
]
MIGRATION_MODULES = {"operators": "migrations.operators"}
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "common.middleware.security_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.operators_urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
AUTH_USER_MODEL = "operators.Operator"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "operators_session", "operators_csrf"
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = "/operators/"
SESSION_COOKIE_AGE = 3600
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
STATIC_URL = "/operators/static/"
WHITENOISE_USE_FINDERS = True
LANGUAGE_CODE = "en-gb"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True
LOGGING = logging_settings(debug=False, level=env.text("LOG_LEVEL", "INFO").upper())
