"""Settings: the environment only. ``.env.example`` at the root lists every variable."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import env
from config.logs import logging_settings

DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.secret("SECRET_KEY", shortest=32)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "127.0.0.1,localhost")

# Where the browser finds the pages and the event stream.
WEB_URL = env.web_url("WEB_URL", "http://127.0.0.1:8000")
EVENTS_URL = env.web_url("EVENTS_URL", "http://127.0.0.1:8001/events")
# Tabs of one person; streams besides are of the service as a whole.
EVENTS_STREAMS_PER_USER = env.number("EVENTS_STREAMS_PER_USER", default=12, low=1, high=10_000)
EVENTS_STREAMS_MAX = env.number("EVENTS_STREAMS_MAX", default=500, low=1, high=100_000)
HTTPS = WEB_URL.startswith("https://")
TRUSTED_PROXIES_COUNT = env.number("TRUSTED_PROXIES_COUNT", default=0, low=0, high=5)

# The processes for instant answers, where the web itself is to hand them on.
EVALUATE_URL = env.web_url("EVALUATE_URL", "") if env.optional("EVALUATE_URL") else None
# Whether this is such a process, and how many processes of its own work answers out.
ANSWERS_ONLY = env.flag("ANSWERS_ONLY", default=False)
ANSWER_PROCESSES = env.number("ANSWER_PROCESSES", default=2, low=2, high=64)
# So many at once, each of which takes a thread besides those of the web's own requests.
EVALUATE_AT_ONCE = env.number("EVALUATE_AT_ONCE", default=200, low=1, high=1_000)
# Requests that each process of the web works on at once; one workspace may take half of them while
# others are about. Threads besides wait for one of these seats, and sleep.
WEB_THREADS = env.number("WEB_THREADS", default=24, low=2, high=200)

DATABASES = {"default": env.database("DATABASE_URL")}
# The owner exists only where migrations run: the role of the web and the workers
# neither owns the tables nor passes by row-level security.
if env.optional("DATABASE_OWNER_URL"):
    DATABASES["owner"] = env.database("DATABASE_OWNER_URL")
APP_ROLE: str = DATABASES["default"]["USER"]
# What signing in knows of people, for the web and the scheduler: workers, events and instant
# answers go without. Closed with each request: only few ask.
if env.optional("DATABASE_IDENTITY_URL"):
    DATABASES["identity"] = env.database("DATABASE_IDENTITY_URL") | {"CONN_MAX_AGE": 0}
    if DATABASES["identity"]["USER"] == APP_ROLE:
        _MESSAGE = "DATABASE_IDENTITY_URL must name another role than DATABASE_URL."
        raise ImproperlyConfigured(_MESSAGE)
IDENTITY_ROLE: str | None = DATABASES.get("identity", {}).get("USER")
DATABASE_ROUTERS = ["common.routing.Router"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

BROKER_URL = env.text("BROKER_URL")
JOB_SENDER = "config.celery.send"
JOB_WAITING_COUNT = "config.celery.waiting_count"
JOB_LISTENING_COUNTS = "config.celery.listening_counts"
WORKER_PATIENCE_S = env.number("WORKER_PATIENCE_S", default=60, low=1, high=3600)
# How long a worker that is told to end may finish what it is at.
WORKER_GRACE_S = env.number("WORKER_GRACE_S", default=45, low=1, high=7200)
# Touched while a process without a port works: what a health check looks at.
ALIVE_FILE = Path(path) if (path := env.optional("ALIVE_FILE")) else None
# Hosts of the own network, as host or host:port, that measurements may be read from.
READ_PRIVATE_HOSTS = env.words("READ_PRIVATE_HOSTS", "")
# The same, that events may be sent to.
WEBHOOK_PRIVATE_HOSTS = env.words("WEBHOOK_PRIVATE_HOSTS", "")
# The key that Google asks for before it gives its price catalogue.
GCP_API_KEY = env.optional("GCP_API_KEY")
# What one process of a worker may take.
WORKER_MEMORY_MB = env.number("WORKER_MEMORY_MB", default=4_000, low=500, high=1_000_000)
JOB_LEASE_S = env.number("JOB_LEASE_S", default=15, low=1, high=3600)

# Lowest first, as in the import rules.
LOCAL_APPS = [
    *("common", "accounts", "jobs", "files", "catalogue", "traces", "studies", "imports"),
    *("runs", "reports", "sharing", "archives"),
]
INSTALLED_APPS = [
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    *LOCAL_APPS,
    "config",
]
MIGRATION_MODULES = {name: f"migrations.{name}" for name in LOCAL_APPS}

MIDDLEWARE = [
    "common.middleware.observe",
    "common.middleware.let_go",
    "django.middleware.security.SecurityMiddleware",
    "common.middleware.security_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]

AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
PASSWORD_LENGTH_LEAST = 10
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email",)},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": PASSWORD_LENGTH_LEAST},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
# Who may make an account: everybody, who was invited, or the operator alone.
SIGN_UP = env.choice("SIGN_UP", ("invitation", "open", "closed"))
# What sends mail, if anything; open sign-up needs it, for anybody can type any address.
MAIL = env.mail()
MAIL_FROM = env.text("MAIL_FROM", "Ampacity <ampacity@localhost>")
if SIGN_UP == "open" and MAIL is None:
    _MESSAGE = "SIGN_UP is open, which takes mail: set MAIL_URL."
    raise ImproperlyConfigured(_MESSAGE)
# Who runs the service, by address: sees mail that went into MAIL_FOLDER.
OPERATORS = [word.lower() for word in env.words("OPERATORS", "")]
# Who signs people in besides, by OpenID Connect; None: nobody.
OPENID = env.openid()
SAML = env.saml()
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_NAME = "ampacity_session"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_TRUSTED_ORIGINS = ["{0.scheme}://{0.netloc}".format(urlsplit(WEB_URL))]
CSRF_FAILURE_VIEW = "common.views.csrf_failure"

SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES_COUNT else None
SECURE_REFERRER_POLICY = "same-origin"
OBJECTS = env.objects()
# Plotly's mode bar and Mantine set styles from script, hence 'unsafe-inline' there.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "worker-src 'self' blob:",
        "font-src 'self' data:",
        # events, and the bucket that parts of uploads are sent to
        " ".join(
            (
                "connect-src 'self'",
                "{0.scheme}://{0.netloc}".format(urlsplit(EVENTS_URL)),
                *([OBJECTS["public_url"]] if OBJECTS else []),
            )
        ),
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
# Where large things are kept, by the name that a row has for it: in an object storage if one is
# given. What the database has from before stays readable.
LARGE_STORAGE = "objects" if OBJECTS else "database"
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    "database": {"BACKEND": "files.database.DatabaseStorage"},
}
if OBJECTS:
    STORAGES["objects"] = {"BACKEND": "files.objects.ObjectStorage", "OPTIONS": OBJECTS}
# Days after which things go, but for what is approved, shared or a study's latest; 0 keeps them,
# results and series as long as their runs.
RETENTION = {
    name: env.number(variable, default=0, low=0, high=36_500)
    for name, variable in {
        "runs": "RETENTION_DAYS",
        "results": "RETENTION_RESULTS_DAYS",
        "series": "RETENTION_SERIES_DAYS",
        "audit": "RETENTION_AUDIT_DAYS",
        "events": "RETENTION_EVENTS_DAYS",
    }.items()
}
# How long a workspace or an account that is to be deleted can be kept after all.
DELETE_GRACE_DAYS = env.number("DELETE_GRACE_DAYS", default=14, low=0, high=365)
# What one workspace may have; None, of 0, is without limit.
QUOTAS = {
    name: env.number(f"QUOTA_{name.upper()}", default=usual, low=0, high=1_000_000_000) or None
    for name, usual in {
        "stored_mb": 20_000,
        "jobs": 200,
        "compute_minutes": 6_000,
        "members": 50,
    }.items()
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
TRACE_BYTES_MAX = env.number(
    "TRACE_BYTES_MAX", default=4_000_000_000, low=1_000_000, high=100_000_000_000
)

# Where Prometheus asks, and what it shows: a port of its own, never the pages' one.
METRICS_ADDRESS = env.address("METRICS_ADDRESS")
METRICS_TOKEN = env.secret("METRICS_TOKEN", shortest=16) if METRICS_ADDRESS else ""
# Where traces are sent (OTLP over HTTP), if anywhere.
TRACES_URL = env.web_url("TRACES_URL", "") if env.optional("TRACES_URL") else None
if shared := env.optional("PROMETHEUS_MULTIPROC_DIR"):
    Path(shared).mkdir(parents=True, exist_ok=True)

FRONTEND_DIST = env.folder("FRONTEND_DIST")
# Entries of the catalogue that every workspace of this installation has besides the built-in ones.
CATALOGUE_FOLDER = env.folder("CATALOGUE_FOLDER")
STATIC_URL = "/static/"
# The few files of the API's own pages are found in the packages: no collectstatic.
WHITENOISE_USE_FINDERS = True
WHITENOISE_ROOT = FRONTEND_DIST
WHITENOISE_INDEX_FILE = True
# Vite puts a hash into the name of everything below assets/.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/.+-[\w-]{8}\.\w+$"

LANGUAGE_CODE = "en-gb"
USE_I18N = False
TIME_ZONE = "UTC"
USE_TZ = True
LOGGING = logging_settings(debug=DEBUG, level=env.text("LOG_LEVEL", "INFO").upper())

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.authentication.TokenAuthentication",
        "accounts.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["common.permissions.HasPermission"],
    "DEFAULT_THROTTLE_CLASSES": ["common.throttling.FairShare"],
    "DEFAULT_PARSER_CLASSES": [
        "common.parsers.OrjsonParser",
        "common.parsers.MergePatchParser",
    ],
    "DEFAULT_RENDERER_CLASSES": ["common.renderers.OrjsonRenderer"],
    "DEFAULT_SCHEMA_CLASS": "common.described.Described",
    "EXCEPTION_HANDLER": "common.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
    # an address says nothing of the format of its answer
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Ampacity",
    "DESCRIPTION": "Capacity planning: what to build or rent, what it costs, and how sure we are.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "SERVE_PERMISSIONS": [],
    "SERVE_AUTHENTICATION": [],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "ENUM_NAME_OVERRIDES": {
        "CheckKindEnum": "runs.serializers.CHECK_KINDS",
        "KindEnum": "traces.serializers.KINDS",
        "ProviderEnum": "capmodels.providers.IDS",
        "PriceListEnum": "imports.fetching.LIST_IDS",
        "NumberFormatEnum": "capmodels.written_numbers.MARKS_BY_NAME",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "common.schema.add_problem",
        "common.schema_models.add_models",
        "common.schema_words.add_words",
        "sharing.event_bodies.add_events",
    ],
}
