"""What gunicorn serves."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

from common.startup import require_app_role

application = get_wsgi_application()
require_app_role()
