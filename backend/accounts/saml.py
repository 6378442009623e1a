"""SAML 2.0: leads to the identity provider and reads what it says of a person.

The Web Browser SSO profile (SAML 2.0 Profiles, 4.1): the request goes by redirect, the answer comes
by POST, asked for by this service and no other way. XML, signatures and encryption are
python3-saml's business; what it lets pass where an answer leaves it out is asked for here: an
audience, a recipient, an end, and the request that it answers, all within the signed assertion.

The answer is posted by the provider's page, from another site, so that the browser sends no session
with it. It is checked, kept under a code for two minutes, and taken by the page that the browser is
led to, in the session that asked. python3-saml is loaded by the first sign-in: most services have
no such provider.
"""

from __future__ import annotations

import logging
import time
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.crypto import constant_time_compare

from accounts.models import SamlAnswer
from accounts.openid import REFUSED, STALE
from accounts.openid_provider import AWAY, KNOWN_S, UNTRUE
from accounts.provider_people import Said
from accounts.secrets import code_new, hash_of
from common import outgoing
from common.errors import Conflict, NotSignedIn, Unreachable
from common.routing import IDENTITY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from onelogin.saml2.response import OneLogin_Saml2_Response
    from onelogin.saml2.settings import OneLogin_Saml2_Settings

logger = logging.getLogger(__name__)

HERE = "/api/v1/session/saml"
TAKEN_WITHIN = timedelta(minutes=2)
METADATA_BYTES_MAX = 1 << 20
ANEW_S = 60.0
# What providers call a mail address: plainly, by LDAP's number of it, and as Microsoft's do.
EMAILS = (
    "email",
    "mail",
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
)
_FORMAT_EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
_FORMAT_TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
_FORMAT_ANY = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
_REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
_POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"


def told() -> dict[str, Any]:
    """Return what the operator says of the provider."""
    found: dict[str, Any] = settings.SAML or {}
    return found


def require_on() -> None:
    """Refuse where there is no provider.

    Raises
    ------
    Conflict
        Saying so.
    """
    if settings.SAML is None:
        raise Conflict("This service knows no sign-in by SAML. Use your password.")


class Known:
    """The provider as its metadata had it lately; asked again after ten minutes."""

    clock: ClassVar[Callable[[], float]] = time.monotonic
    _found: ClassVar[dict[str, tuple[float, OneLogin_Saml2_Settings]]] = {}

    @classmethod
    def get(cls, at_most_s: float = KNOWN_S) -> OneLogin_Saml2_Settings:
        """Return the settings of both sides, as they were so long ago at most.

        Raises
        ------
        Unreachable
            When the metadata does not come, or is of no use.
        """
        url = told()["metadata_url"]
        asked_at, found = cls._found.get(url, (0.0, None))
        if found is None or cls.clock() >= asked_at + at_most_s:
            found = _both_sides(url)
            cls._found = {url: (cls.clock(), found)}
        return found

    @classmethod
    def forget(cls) -> None:
        """Ask for the metadata anew the next time."""
        cls._found = {}


def begin() -> tuple[str, dict[str, str]]:
    """Return the provider's address to go to, and what to hold its answer against.

    Raises
    ------
    Unreachable
        When the provider's metadata does not come.
    """
    from onelogin.saml2.auth import OneLogin_Saml2_Auth

    auth = OneLogin_Saml2_Auth(_here(), Known.get())
    url: str = auth.login()
    return url, {"state": auth.get_last_request_id()}


def metadata() -> bytes:
    """Return what this service says of itself, to be registered at the provider."""
    from onelogin.saml2.settings import OneLogin_Saml2_Settings

    own = _own_side()
    # It lists the key for encryption besides only where encryption is asked for.
    own["security"]["wantAssertionsEncrypted"] = bool(told()["key"])
    found = OneLogin_Saml2_Settings(own, sp_validation_only=True).get_sp_metadata()
    return found if isinstance(found, bytes) else found.encode()


def receive(posted: str, now: datetime) -> tuple[str, str]:
    """Check an answer, and keep it for the browser that asked; return its request and a code.

    Raises
    ------
    NotSignedIn
        When it does not hold, or came before.
    Unreachable
        When the provider's metadata does not come.
    """
    said, request_id, assertion_id, expires_at = _read(posted)
    code = code_new()
    try:
        with transaction.atomic(using=IDENTITY):
            SamlAnswer.objects.create(
                assertion_hash=hash_of(f"{said.issuer} {assertion_id}"),
                code_hash=hash_of(code),
                request_id=request_id,
                said=asdict(said),
                made_at=now,
                expires_at=max(expires_at, now + TAKEN_WITHIN),
            )
    except IntegrityError as exc:
        logger.warning("an assertion of SAML came a second time")
        raise NotSignedIn(UNTRUE) from exc
    return request_id, code


def finish(begun: Mapping[str, str] | None, state: str, code: str, now: datetime) -> Said:
    """Return what the provider says of the person, once, to the session that asked.

    Raises
    ------
    NotSignedIn
        When it is the answer to another question, or a refusal.
    """
    if not code:
        raise NotSignedIn(REFUSED)
    if not begun or not constant_time_compare(begun["state"], state):
        raise NotSignedIn(STALE)
    rows = SamlAnswer.objects.filter(
        code_hash=hash_of(code),
        request_id=state,
        said__isnull=False,
        made_at__gt=now - TAKEN_WITHIN,
    )
    row = rows.first()
    # Whoever empties the row has the answer; a second one at the same moment has none.
    if row is None or row.said is None or rows.update(said=None) == 0:
        raise NotSignedIn(STALE)
    return Said(**{**row.said, "groups": tuple(row.said["groups"])})


def _read(posted: str) -> tuple[Said, str, str, datetime]:
    """What an answer says, the request it answers, its assertion's id and end."""
    from onelogin.saml2.errors import OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError

    try:
        return _checked(posted, Known.get())
    except (OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError, ValueError):
        # Certificates change: what was signed with a new one is checked with those of now. Anybody
        # may post here, so the provider is not asked each time.
        sides = Known.get(ANEW_S)
    try:
        return _checked(posted, sides)
    except (OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError, ValueError) as exc:
        logger.warning("an answer of SAML does not hold: %s", exc)
        raise NotSignedIn(UNTRUE) from exc


def _checked(posted: str, sides: OneLogin_Saml2_Settings) -> tuple[Said, str, str, datetime]:
    from lxml.etree import LxmlError
    from onelogin.saml2.response import OneLogin_Saml2_Response
    from onelogin.saml2.utils import OneLogin_Saml2_Utils
    from xmlsec import Error

    try:
        response = OneLogin_Saml2_Response(sides, posted)
        response.is_valid(_here(), raise_exceptions=True)
    except (LxmlError, Error, AttributeError, TypeError, IndexError) as exc:
        # Whatever is not XML, not encrypted for this service, or of another shape.
        raise ValueError(str(exc) or type(exc).__name__) from exc
    if sides.get_sp_data()["entityId"] not in response.get_audiences():
        message = "the assertion names no audience"
        raise ValueError(message)
    acs = sides.get_sp_data()["assertionConsumerService"]["url"]
    # The library's own way to the one assertion whose signature was checked.
    confirmed = [
        data
        for data in response._query_assertion(
            "/saml:Subject/saml:SubjectConfirmation/saml:SubjectConfirmationData"
        )
        if data.get("Recipient") == acs and data.get("NotOnOrAfter") and data.get("InResponseTo")
    ]
    if len(confirmed) != 1:
        message = "the assertion names no recipient, end or request"
        raise ValueError(message)
    if response.get_in_response_to() not in {None, confirmed[0].get("InResponseTo")}:
        message = "the answer and its assertion name different requests"
        raise ValueError(message)
    until = OneLogin_Saml2_Utils.parse_SAML_to_time(confirmed[0].get("NotOnOrAfter"))
    return (
        _said(response, sides.get_idp_data()["entityId"]),
        confirmed[0].get("InResponseTo"),
        response.get_assertion_id(),
        datetime.fromtimestamp(until, UTC),
    )


def _said(response: OneLogin_Saml2_Response, entity_id: str) -> Said:
    name = response.get_nameid_data()
    if name.get("Format") == _FORMAT_TRANSIENT:
        message = "the provider names people anew each time; have it send a persistent NameID"
        raise ValueError(message)
    attributes: dict[str, list[str]] = response.get_attributes()
    found = next((attributes[one][0] for one in EMAILS if attributes.get(one)), "")
    if not found and (name.get("Format") == _FORMAT_EMAIL or "@" in name["Value"]):
        found = name["Value"]
    return Said(
        # Some providers have one name for both protocols, and their subjects are not the same.
        issuer=f"saml:{entity_id}",
        subject=name["Value"],
        email=found.strip().lower(),
        # The operator's one provider says whose address it is; there is no claim besides.
        is_verified=True,
        groups=tuple(attributes.get(told()["groups_attribute"], ())),
    )


def _both_sides(url: str) -> OneLogin_Saml2_Settings:
    from lxml.etree import LxmlError
    from onelogin.saml2.errors import OneLogin_Saml2_Error
    from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser
    from onelogin.saml2.settings import OneLogin_Saml2_Settings

    try:
        status, answer = outgoing.fetch(
            url, {}, most=METADATA_BYTES_MAX, allowed=told()["private_hosts"]
        )
        told_of = answer if status == 200 else b""
        idp = OneLogin_Saml2_IdPMetadataParser.parse(told_of, required_sso_binding=_REDIRECT)["idp"]
        outgoing.target_of(idp["singleSignOnService"]["url"])
        return OneLogin_Saml2_Settings({**_own_side(), "idp": idp})
    except (outgoing.Unsendable, OneLogin_Saml2_Error, LxmlError, ValueError, KeyError) as exc:
        logger.warning("the metadata of the SAML provider cannot be used: %s", exc)
        raise Unreachable(AWAY) from exc


def _own_side() -> dict[str, Any]:
    address = f"{settings.WEB_URL}{HERE}"
    key, certificate = told()["key"], told()["certificate"]
    return {
        "strict": True,
        "sp": {
            "entityId": f"{address}/metadata",
            "assertionConsumerService": {"url": f"{address}/acs", "binding": _POST},
            "NameIDFormat": _FORMAT_ANY,
            "privateKey": key,
            "x509cert": certificate,
        },
        "security": {
            "wantAssertionsSigned": True,
            "wantNameId": True,
            "wantAttributeStatement": False,
            "allowRepeatAttributeName": True,
            "rejectDeprecatedAlgorithm": True,
            "requestedAuthnContext": False,
            # What was registered once stays right.
            "metadataValidUntil": "",
            "metadataCacheDuration": "",
            "authnRequestsSigned": bool(key),
            "signatureAlgorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            "digestAlgorithm": "http://www.w3.org/2001/04/xmlenc#sha256",
            # A host of the own network may have a name without dots.
            "allowSingleLabelDomains": True,
        },
    }


def _here() -> dict[str, Any]:
    """The address that an answer is posted to, as the library asks for it."""
    parts = urlsplit(settings.WEB_URL)
    return {
        "https": "on" if parts.scheme == "https" else "off",
        "http_host": parts.netloc,
        "script_name": f"{HERE}/acs",
        "get_data": {},
        "post_data": {},
    }


def page(**given: str) -> str:
    """Return the address of the page that takes an answer, with what it is to send."""
    return f"{settings.WEB_URL}/saml?{urlencode(given)}"
