"""What uvicorn serves: the event stream, in a process of its own."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from common import metrics  # noqa: E402 -- models need django.setup()
from common.startup import require_app_role  # noqa: E402 -- models need django.setup()
from jobs.events.application import EventsApplication  # noqa: E402 -- as above

require_app_role()
metrics.serve()
application = EventsApplication()
