"""Addresses of what a workspace uses."""

from django.urls import path

from files import upload_apis, usage_apis

urlpatterns = [
    path("usage", usage_apis.UsageApi.as_view()),
    path("uploads", upload_apis.UploadsApi.as_view()),
    path("uploads/<uuid:upload_id>", upload_apis.UploadApi.as_view()),
    path("uploads/<uuid:upload_id>/parts", upload_apis.UploadPartsApi.as_view()),
    path("uploads/<uuid:upload_id>/parts/<str:number>", upload_apis.UploadPartApi.as_view()),
    path("uploads/<uuid:upload_id>/end", upload_apis.UploadEndApi.as_view()),
]
