"""Addresses of approvals and links."""

from django.urls import path

from sharing import apis

urlpatterns = [
    path("studies/<uuid:study_id>/approvals", apis.ApprovalListApi.as_view()),
    path("studies/<uuid:study_id>/shares", apis.ShareListApi.as_view()),
    path("shares/<uuid:share_id>", apis.ShareApi.as_view()),
    path("shared", apis.SharedApi.as_view()),
    path("shared/report", apis.SharedReportApi.as_view()),
    path("shared/report/file", apis.SharedReportFileApi.as_view()),
]
