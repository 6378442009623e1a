"""Addresses of traces."""

from django.urls import path

from traces import apis

urlpatterns = [
    path("traces", apis.TraceListApi.as_view()),
    path("traces/formats", apis.TraceFormatsApi.as_view()),
    path("traces/prometheus", apis.PrometheusApi.as_view()),
    path("traces/cloudwatch", apis.CloudWatchApi.as_view()),
    path("traces/<uuid:trace_id>", apis.TraceApi.as_view()),
    path("traces/<uuid:trace_id>/cancel", apis.TraceCancelApi.as_view()),
    path("traces/<uuid:trace_id>/charts", apis.TraceChartsApi.as_view()),
    path("traces/<uuid:trace_id>/told", apis.TraceToldApi.as_view()),
]
