"""An operation says once what it is called, who may, what it takes and gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.test import APIRequestFactory

from common.api import ApiView
from common.operations import creates, operation, operation_of
from common.pagination import page
from common.permissions import permission_of

if TYPE_CHECKING:
    from rest_framework.response import Response

pytestmark = pytest.mark.decisive


class Thing(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=5)


class Things(ApiView):
    permission_classes = ()
    authentication_classes = ()
    throttle_classes = ()
    may = "manage"

    @operation(
        "things",
        gives=Thing(many=True),
        parameters=[
            OpenApiParameter("tag", str),
            OpenApiParameter("If-Match", str, OpenApiParameter.HEADER),
        ],
    )
    def get(self, request: Any) -> Any:
        return [{"title": "a", "more": 1}, {"title": "b"}]

    @creates("things_create", takes=Thing, gives=Thing, may="write")
    def post(self, request: Any) -> Any:
        return self.given()

    @operation("things_file", gives={(200, "text/csv"): str})
    def put(self, request: Any) -> Any:
        return HttpResponse("a", content_type="text/csv")

    @operation("things_delete")
    def delete(self, request: Any) -> None:
        return None


def answered(method: str, path: str = "/", body: Any = None) -> Response:
    asked = getattr(APIRequestFactory(), method)(path, body, format="json")
    response: Response = Things.as_view()(asked)
    return response


def test_what_a_method_returns_is_told_as_declared() -> None:
    titles = [{"title": "a"}, {"title": "b"}]
    assert answered("get").data == page(titles, None, None).data
    assert answered("get", "/?limit=1").data == page(titles[:1], "1", None).data
    assert answered("get", "/?limit=1&cursor=1").data == page(titles[1:], None, "0").data
    made = answered("post", body={"title": "new"})
    assert (made.status_code, made.data) == (201, {"title": "new"})
    assert (answered("delete").status_code, answered("delete").data) == (204, None)
    assert answered("put").content == b"a"


def test_what_is_sent_and_asked_is_checked_as_declared() -> None:
    assert answered("post", body={"title": "too long"}).status_code == 422
    assert answered("get", "/?tag=x").status_code == 200
    assert answered("get", "/?cursor=x").status_code == 422
    # A header is no parameter of the address.
    assert answered("get", "/?If-Match=x").status_code == 422


def test_a_permission_is_of_the_operation_else_of_the_view() -> None:
    class Asking(Things):
        permission_classes = (object,)  # type: ignore[assignment]  # only that there are some

    view = Asking()
    assert [permission_of(view, method) for method in ("GET", "POST")] == ["manage", "write"]
    assert operation_of(view, "PATCH") is None
