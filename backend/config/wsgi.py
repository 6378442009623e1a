"""What gunicorn serves."""

import gc
import os
import sys
from importlib import import_module
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from capmodels.registry import all_models
from common import tracing
from common.forwarding import Forwarding
from common.memory import keep_freed_memory
from common.parsers import DOCUMENT_BYTES_MAX
from common.seats import Seats
from common.startup import require_app_role, require_identity

keep_freed_memory()
tracing.start("web")
application: Any = Seats(get_wsgi_application(), settings.WEB_THREADS)
if settings.EVALUATE_URL:
    application = Forwarding(
        application,
        path="/api/v1/evaluate",
        url=settings.EVALUATE_URL,
        bytes_max=DOCUMENT_BYTES_MAX,
        at_once_max=settings.EVALUATE_AT_ONCE,
    )
require_app_role()
if not settings.ANSWERS_ONLY:
    require_identity()
# What the first request would load is loaded now, and then kept out of every collection:
# a full one takes tens of milliseconds.
import_module(settings.ROOT_URLCONF)
all_models()
gc.collect()
gc.freeze()
# Looking for cycles after every 700 objects that a request makes costs a fifth of its time. Rows
# of lists are in cycles, with their jobs: among 50,000 a search holds up every fifteenth list for
# 40 ms.
gc.set_threshold(5_000, 10, 10)
# A thread that has waited for the database waits that long for each other thread that computes,
# after every query: with Python's 5 ms somebody's dear requests slow all others' lists down.
sys.setswitchinterval(0.0005)
if settings.ANSWERS_ONLY:
    import_module("runs.answering").use_processes(settings.ANSWER_PROCESSES)
else:
    import_module("runs.answering").check_apart()
