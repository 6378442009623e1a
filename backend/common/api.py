"""The base of every view that touches workspace data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.http import HttpResponseNotModified
from rest_framework.views import APIView

from capmodels.errors import Fault, pointer_of
from common.errors import Invalid, NotFound
from common.etags import is_known
from common.idempotency import answer_once
from common.operations import Parameter, is_list, operation_of
from common.pagination import KeysetPagination
from common.parsers import BODY_BYTES_MAX, BodyParser, take_chunks
from common.serializers import validated
from common.tenancy import workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from rest_framework.request import Request
    from rest_framework.response import Response
    from rest_framework.serializers import Serializer

    from common.principal import Principal


PAGING = ("cursor", "limit")


class ApiView(APIView):
    """Refuses what an address does not know, instead of passing it over without a word.

    An `operation` names the parameters that it takes; lists know those of their pages besides.
    ``may`` is the permission of the operations that name none; the usual one of a method unless
    given.
    """

    may: ClassVar[str | None] = None
    pagination_class = KeysetPagination

    @property
    def principal(self) -> Principal:
        """Who asks; the permission has seen to it that somebody does."""
        return cast("Principal", self.request.auth)

    def given(self) -> dict[str, Any]:
        """Return what the request sends, as its operation takes it."""
        declared = operation_of(self, self.request.method or "")
        takes = cast("type[Serializer[Any]]", declared.takes if declared else None)
        return validated(takes(data=self.request.data))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Do as DRF does, then look at the address."""
        super().initial(request, *args, **kwargs)
        if any(isinstance(parser, BodyParser) for parser in request.parsers or ()):
            take_chunks(request._request, getattr(self, "body_bytes_max", BODY_BYTES_MAX))
        if any("\0" in value for value in kwargs.values() if isinstance(value, str)):
            raise NotFound
        if faults := query_faults(request.query_params, self.query_known(request.method or "")):
            raise Invalid(faults=faults)

    def query_known(self, method: str) -> dict[str, Parameter]:
        """Return the parameters that a method takes."""
        declared = operation_of(self, method)
        paging = PAGING if is_list(declared, method) else ()
        return {**(declared.query if declared else {}), **dict.fromkeys(paging, Parameter())}


def query_faults(given: Mapping[str, str], known: Mapping[str, Parameter]) -> list[Fault]:
    """Return what is wrong with the parameters of an address."""
    may_be = f"Known here: {', '.join(known)}." if known else "None is known here."
    unknown = [
        Fault(pointer_of(name.replace("\0", "")), "unknown_parameter", f"Remove this. {may_be}")
        for name in given
        if name not in known
    ]
    nuls = [
        Fault(pointer_of(name), "nul", "This holds the NUL character; remove it.")
        for name, value in given.items()
        if "\0" in value and name in known
    ]
    others = [
        Fault(pointer_of(name), "not_a_choice", f"Choose one of {', '.join(one.words)}.")
        for name, one in known.items()
        if one.words and (value := given.get(name)) and "\0" not in value and value not in one.words
    ]
    missing = [
        Fault(pointer_of(name), "missing", f"Add ?{name}= to the address: {one.what}")
        for name, one in known.items()
        if one.is_required and not given.get(name, "").strip()
    ]
    return unknown + nuls + others + missing


class WorkspaceAPIView(ApiView):
    """Runs each handler inside the caller's workspace, in one transaction.

    A handler that raises leaves nothing behind. A POST with an ``Idempotency-Key`` is
    carried out once; ``secret_fields`` of its answer are not kept for a repeat.
    """

    secret_fields: ClassVar[tuple[str, ...]] = ()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Do as DRF does, with the handler inside the workspace."""
        self.args, self.kwargs = args, kwargs
        self.request = drf_request = self.initialize_request(request, *args, **kwargs)
        self.headers = self.default_response_headers
        try:
            self.initial(drf_request, *args, **kwargs)
            response = self._answer(drf_request)
        except Exception as exc:
            response = self.handle_exception(exc)
        if response.status_code == 200 and is_known(drf_request, response.headers.get("ETag")):
            return HttpResponseNotModified(headers={"ETag": response.headers["ETag"]})
        self.response = self.finalize_response(drf_request, response, *args, **kwargs)
        return self.response

    def _answer(self, request: Request) -> Response:
        name = (request.method or "").lower()
        known = name in self.http_method_names and hasattr(self, name)
        method: Callable[..., Response] = (
            getattr(self, name) if known else self.http_method_not_allowed
        )

        def handle() -> Response:
            return method(request, *self.args, **self.kwargs)

        with workspace(self.principal.workspace_id):
            if request.method == "POST" and (key := request.headers.get("Idempotency-Key")):
                return answer_once(key, request, handle, secret_fields=self.secret_fields)
            return handle()


class ListApi(WorkspaceAPIView):
    """A list by cursor, newest first unless ``ordering``, which ends in a unique column, differs.

    Its GET returns all rows, of which one page is told.
    """

    ordering: ClassVar[tuple[str, ...]] = ("-created_at", "-id")

    def page_of(self, rows: Any, told: Callable[[Any], Any]) -> Response:
        """Return the page that is asked for, its rows as ``told`` says them."""
        pages = self.pagination_class()
        return pages.get_paginated_response(told(pages.paginate_queryset(rows, self.request, self)))
