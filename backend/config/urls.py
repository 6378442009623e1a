"""Every address: the API by app, its schema, health, and the single page for the rest."""

from __future__ import annotations

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from common import views
from common.schema import schema
from common.service_apis import ServiceApi

# Jobs have no addresses of their own: each kind is seen through the app that it belongs to.
# They are tried in this order: what is asked for most comes first.
APPS = (
    "runs",
    "studies",
    "accounts",
    "files",
    "catalogue",
    "traces",
    "imports",
    "reports",
    "sharing",
    "archives",
)

urlpatterns = [
    path("api/v1/", include([path("", include(f"{app}.urls")) for app in APPS])),
    path("api/v1/service", ServiceApi.as_view()),
    path("api/schema/", schema, name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(), name="docs"),
    path("healthz", views.healthz),
    path("readyz", views.readyz),
    # The operators' pages are another process: nobody finds them here.
    re_path(r"^(?!api/|static/|assets/|operators(?:/|$))", views.page),
]

handler400 = "common.views.bad_request"
handler403 = "common.views.forbidden"
handler404 = "common.views.not_found"
handler500 = "common.views.server_error"
