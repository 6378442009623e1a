"""Addresses of the operators' process."""

from django.urls import path

from common.views import healthz
from operators.admin import site

urlpatterns = [path("operators/", site.urls), path("healthz", healthz)]
