"""What gunicorn serves to operators."""

import os

os.environ["DJANGO_SETTINGS_MODULE"] = "config.operators"

from django.core.wsgi import get_wsgi_application

from common.startup import require_app_role

application = get_wsgi_application()
require_app_role("DATABASE_OPERATOR_URL")
