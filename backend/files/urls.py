"""Addresses of what a workspace uses."""

from django.urls import path

from files import usage_apis

urlpatterns = [path("usage", usage_apis.UsageApi.as_view())]
