"""Addresses of approvals, links and webhooks."""

from django.urls import path

from sharing import actuals_apis, apis, comment_apis, standing, webhook_apis

urlpatterns = [
    path("studies/standing", standing.StandingApi.as_view()),
    path("studies/<uuid:study_id>/approvals", apis.ApprovalListApi.as_view()),
    path("studies/<uuid:study_id>/approvals/ask", apis.ApprovalAskApi.as_view()),
    path("studies/<uuid:study_id>/actuals", actuals_apis.ActualsApi.as_view()),
    path("studies/<uuid:study_id>/actuals/range", actuals_apis.ActualsRangeApi.as_view()),
    path("studies/<uuid:study_id>/shares", apis.ShareListApi.as_view()),
    path("shares/<uuid:share_id>", apis.ShareApi.as_view()),
    path("studies/<uuid:study_id>/comments", comment_apis.CommentListApi.as_view()),
    path("comments/<uuid:comment_id>", comment_apis.CommentApi.as_view()),
    path("webhooks", webhook_apis.WebhookListApi.as_view()),
    path("webhooks/<uuid:webhook_id>", webhook_apis.WebhookApi.as_view()),
    path("webhooks/<uuid:webhook_id>/deliveries", webhook_apis.DeliveryListApi.as_view()),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/again",
        webhook_apis.DeliveryAgainApi.as_view(),
    ),
    path("shared", apis.SharedApi.as_view()),
    path("shared/report", apis.SharedReportApi.as_view()),
    path("shared/report/file", apis.SharedReportFileApi.as_view()),
]
