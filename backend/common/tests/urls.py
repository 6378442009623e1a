"""Views that fail in every way a view may fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import path
from pydantic import BaseModel, ConfigDict, Field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from capmodels.errors import Fault, ModelError, ParamsError, PointLimitExceeded, UnknownModel
from common.errors import Conflict, Invalid, TooMany

if TYPE_CHECKING:
    from rest_framework.request import Request

ERRORS: dict[str, Exception] = {
    "model": ModelError("No cluster of this size carries the load."),
    "params": ParamsError(
        [Fault("/a", "missing", "Enter a value."), Fault("/b", "out_of_range", "Too low.")]
    ),
    "points": PointLimitExceeded("This asks for too many points."),
    "unknown": UnknownModel("There is no such model."),
    "invalid": Invalid.at("/x", "This cannot be."),
    "conflict": Conflict("Changed elsewhere.", extra={"current": {"title": "new"}}),
    "many": TooMany("Too often.", retry_after_s=7),
    "missing": Http404(),
    "denied": PermissionDenied(),
    "bug": ZeroDivisionError(),
}


class Node(BaseModel):
    model_config = ConfigDict(extra="forbid")
    cores_count: int = Field(ge=1)
    title: str


class NodeSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=5)
    cores = serializers.ListField(child=serializers.IntegerField(min_value=1))


class Fail(APIView):
    authentication_classes = ()
    permission_classes = ()

    def get(self, _request: Request, kind: str) -> NoReturn:
        raise ERRORS[kind]


class Check(APIView):
    authentication_classes = ()
    permission_classes = ()

    def post(self, request: Request, kind: str) -> Response:
        if kind == "pydantic":
            Node.model_validate(request.data)
        else:
            NodeSerializer(data=request.data).is_valid(raise_exception=True)
        return Response(request.data)


urlpatterns = [path("fail/<kind>", Fail.as_view()), path("check/<kind>", Check.as_view())]
handler404 = "common.views.not_found"
handler500 = "common.views.server_error"
