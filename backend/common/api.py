"""The base of every view that touches workspace data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from rest_framework.views import APIView

from common.idempotency import answer_once
from common.tenancy import workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from rest_framework.request import Request
    from rest_framework.response import Response

    from common.principal import Principal


class WorkspaceAPIView(APIView):
    """Runs each handler inside the caller's workspace, in one transaction.

    A handler that raises leaves nothing behind. A POST with an ``Idempotency-Key`` is
    carried out once; ``secret_fields`` of its answer are not kept for a repeat.
    Combine it with DRF's generic views by naming it first among the bases.
    """

    scopes: ClassVar[Mapping[str, str]] = {}
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
        self.response = self.finalize_response(drf_request, response, *args, **kwargs)
        return self.response

    @property
    def principal(self) -> Principal:
        """Who asks; the permission has seen to it that somebody does."""
        return cast("Principal", self.request.auth)

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
