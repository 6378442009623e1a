"""Signing in by SAML 2.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.parsers import FormParser
from rest_framework.response import Response

from accounts import authentication, provider_people, saml
from accounts.apis import SessionOutputSerializer, signed_in
from accounts.openid_apis import OpenIdOutputSerializer
from common.api import ApiView
from common.errors import NotSignedIn, TooLarge, Unreachable
from common.operations import operation

if TYPE_CHECKING:
    from rest_framework.request import Request

XML = "application/samlmetadata+xml"
FORM = "application/x-www-form-urlencoded"
# A signed and encrypted assertion with some hundred groups has a tenth of it.
ANSWER_BYTES_MAX = 512 * 1024


class SamlPostedInputSerializer(serializers.Serializer[Any]):
    """What the provider's page posts."""

    SAMLResponse = serializers.CharField()
    RelayState = serializers.CharField(required=False, allow_blank=True)


class SamlAnswerInputSerializer(serializers.Serializer[Any]):
    """What the address held that the provider's answer led to."""

    state = serializers.CharField(max_length=200)
    code = serializers.CharField(required=False, max_length=100)


class _SamlApi(ApiView):
    permission_classes = ()
    authentication_classes = ()


class SamlApi(_SamlApi):
    """The way to the identity provider."""

    @operation("session_saml", gives=OpenIdOutputSerializer)
    def post(self, request: Request) -> Any:
        """Begin to sign in at the identity provider: good for ten minutes, in this browser."""
        saml.require_on()
        url, begun = saml.begin()
        authentication.session_provider_begin(request._request, "saml", begun)
        return Response({"url": url})


class SamlMetadataApi(_SamlApi):
    """What this service says of itself."""

    @operation("session_saml_metadata", gives={(200, XML): OpenApiTypes.STR})
    def get(self, request: Request) -> Any:
        """Describe this service to an identity provider: names, addresses, certificate.

        409 where the operator has set no identity provider.
        """
        saml.require_on()
        return HttpResponse(saml.metadata(), content_type=XML)


class SamlPostedApi(_SamlApi):
    """Where the identity provider's page posts its answer (assertion consumer service)."""

    parser_classes = (FormParser,)
    # Browsers come here from the provider's page, no program does.
    schema = None

    @operation(takes={FORM: SamlPostedInputSerializer}, gives={303: None})
    def post(self, request: Request) -> Any:
        """Check the provider's answer, and lead to the page that signs in with it."""
        saml.require_on()
        if int(request.META.get("CONTENT_LENGTH") or 0) > ANSWER_BYTES_MAX:
            raise TooLarge("An answer of SAML has 512 kB at most.")
        try:
            state, code = saml.receive(
                request._request.POST.get("SAMLResponse", ""), timezone.now()
            )
            return SeeOther(saml.page(state=state, code=code))
        except (NotSignedIn, Unreachable):
            # Who it was is not known: the page says that it did not work.
            return SeeOther(saml.page(state="refused"))


class SamlAnswerApi(_SamlApi):
    """The way back."""

    @operation(
        "session_saml_answer", takes=SamlAnswerInputSerializer, gives=SessionOutputSerializer
    )
    def post(self, request: Request) -> Any:
        """Sign in with what the identity provider answered, once, in the browser that asked."""
        saml.require_on()
        given, now = self.given(), timezone.now()
        begun = authentication.session_provider_take(request._request, "saml", now)
        said = saml.finish(begun, given["state"], given.get("code", ""), now)
        account = provider_people.sign_in(said, saml.told()["roles"], by="saml", now=now)
        return signed_in(request, account)


class SeeOther(HttpResponseRedirect):
    """To be read at another address, by GET."""

    status_code = 303
