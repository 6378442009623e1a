"""An operation of a view, declared once: what it is called, who may, what it takes and gives.

The schema says the same as the code does: what is sent is checked against ``takes`` (by
``view.given()``), the parameters of the address against ``parameters``, and what the method
returns is told by ``gives``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response
from rest_framework.serializers import ListSerializer, Serializer

from common.pagination import whole_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rest_framework.request import Request

P = ParamSpec("P")
V = TypeVar("V")
# A serializer, one made with ``many=True``, or what a file is, by status and media type.
Gives = type[Serializer[Any]] | Serializer[Any] | OpenApiTypes | dict[Any, Any] | None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an address: the words that it may be (none where any may), whether it must.

    ``what`` says of one that must be there what it is.
    """

    words: tuple[str, ...] = ()
    is_required: bool = False
    what: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """What a method of a view was declared to be; ``query`` are the parameters of its address."""

    takes: type[Serializer[Any]] | dict[str, Any] | None
    gives: Gives
    status: int
    query: dict[str, Parameter]
    permission: str | None


def operation(
    name: str = "",
    *,
    takes: type[Serializer[Any]] | dict[str, Any] | None = None,
    gives: Gives = None,
    status: int = 0,
    may: str | None = None,
    parameters: Sequence[OpenApiParameter] = (),
) -> Callable[
    [Callable[Concatenate[V, Request, P], Any]],
    Callable[Concatenate[V, Request, P], HttpResponseBase],
]:
    """Make a method of a view an operation of the API.

    Parameters
    ----------
    name
        Its id in the schema; of the address and the method unless given, as one has to be that has
        two addresses.
    takes
        The serializer of the body; of a file, what the schema says of each media type.
    gives
        The serializer of what the method returns, or a list of it, which a `ListApi` cuts into
        pages. A response that the method returns goes out as it is.
    status
        Of the answer: 200 unless given, 204 of an operation that gives nothing.
    may
        The permission that is asked for, where it is not the usual one of the method.
    parameters
        What the address takes, and headers.
    """
    status = status or (200 if gives else 204)
    declared = Operation(takes, gives, status, _query_of(parameters), may)
    told = gives if isinstance(gives, dict) else {status: gives}
    described = extend_schema(
        operation_id=name or None, request=takes, responses=told, parameters=list(parameters)
    )

    def decorate(
        method: Callable[Concatenate[V, Request, P], Any],
    ) -> Callable[Concatenate[V, Request, P], HttpResponseBase]:
        @wraps(method)
        def answer(
            view: V, request: Request, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            found = method(view, request, *args, **kwargs)
            answered = isinstance(found, HttpResponseBase)
            response = found if answered else _told(view, declared, found)
            if is_list(declared, request.method) and isinstance(response.data, list):
                return whole_page(request, response)
            return response

        answer.operation = declared  # type: ignore[attr-defined]  # read by `operation_of`
        return described(answer)

    return decorate


def is_list(declared: Operation | None, method: str | None) -> bool:
    """Whether an operation reads a list, which is answered in pages."""
    return method == "GET" and declared is not None and isinstance(declared.gives, ListSerializer)


# What is there from now on; and what is begun, and ends later.
creates = partial(operation, status=201)
starts = partial(operation, status=202)


def operation_of(view: Any, method: str) -> Operation | None:
    """Return what a method of a view was declared to be, None where it was not."""
    found: Operation | None = getattr(getattr(view, method.lower(), None), "operation", None)
    return found


def _query_of(parameters: Sequence[OpenApiParameter]) -> dict[str, Parameter]:
    inside = (one for one in parameters if one.location == OpenApiParameter.QUERY)
    return {
        one.name: Parameter(tuple(map(str, one.enum or ())), one.required, str(one.description))
        for one in inside
    }


def _told(view: Any, declared: Operation, found: Any) -> Response:
    shape: Any = declared.gives
    if shape is None:
        return Response(status=declared.status)
    if not isinstance(shape, ListSerializer):
        return Response(shape(found).data, status=declared.status)
    each: Any = type(shape.child)
    if hasattr(view, "page_of"):
        page: Response = view.page_of(found, lambda rows: each(rows, many=True).data)
        return page
    return Response(each(found, many=True).data, status=declared.status)
