"""Addresses of reports."""

from django.urls import path

from reports import apis

urlpatterns = [
    path("reports", apis.ReportListApi.as_view()),
    path("reports/<uuid:report_id>", apis.ReportApi.as_view()),
    path("reports/<uuid:report_id>/file", apis.ReportFileApi.as_view()),
]
