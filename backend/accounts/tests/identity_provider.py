"""An identity provider of SAML: its metadata at an address, its answers signed by python3-saml."""

from __future__ import annotations

import base64
import http.server
import json
import sys
import threading
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from lxml import etree
from onelogin.saml2.constants import OneLogin_Saml2_Constants as Names
from onelogin.saml2.utils import OneLogin_Saml2_Utils as Utils

PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
NS = {"saml": Names.NS_SAML, "samlp": Names.NS_SAMLP, "ds": Names.NS_DS}


def key_pair(name: str) -> tuple[str, str]:
    """Return a key and its certificate, as PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    called = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=30))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return private.decode(), certificate.public_bytes(serialization.Encoding.PEM).decode()


def bare(pem: str) -> str:
    """Return the base64 of a PEM in one line."""
    return "".join(line for line in pem.splitlines() if "-----" not in line)


@dataclass
class IdentityProvider:
    """The provider: what it signs with, and whom it speaks to."""

    audience: str
    acs: str
    pair: tuple[str, str] = field(default_factory=lambda: key_pair("idp"), repr=False)
    entity_id: str = "https://idp.example/saml"
    port: int = 0
    # What it says of whoever comes to its page.
    who: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Serve metadata, and a page that lets everybody in, at another site than the product."""
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if urlsplit(self.path).path == "/sso":
                    self._say(provider.page(self.path))
                else:
                    self._say(provider.metadata())

            def do_PUT(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                provider.who = json.loads(body)
                self._say("")

            def _say(self, text: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_said: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """End it."""
        self.server.shutdown()
        self.server.server_close()

    def metadata(self) -> str:
        """Return what it says of itself."""
        return f"""<md:EntityDescriptor xmlns:md="{Names.NS_MD}" entityID="{self.entity_id}">
  <md:IDPSSODescriptor protocolSupportEnumeration="{Names.NS_SAMLP}">
    <md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="{Names.NS_DS}"><ds:X509Data>
      <ds:X509Certificate>{bare(self.pair[1])}</ds:X509Certificate>
    </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
    <md:SingleSignOnService Binding="{Names.BINDING_HTTP_REDIRECT}"
      Location="http://localhost:{self.port}/sso"/>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>"""

    def settings(self, **others: Any) -> dict[str, Any]:
        """What the product is told of it."""
        host = f"127.0.0.1:{self.port}"
        return {
            "metadata_url": f"http://{host}/metadata",
            "name": "Corporate",
            "key": "",
            "certificate": "",
            "groups_attribute": "groups",
            "roles": {},
            "private_hosts": [host],
            **others,
        }

    def page(self, url: str) -> str:
        """Return the page that posts the answer to the request in an address."""
        request_id = etree.fromstring(request_of(url).encode()).get("ID")
        answer = self.answer(str(request_id), **self.who)
        return (
            f'<form method="post" action="{self.acs}">'
            f'<input type="hidden" name="SAMLResponse" value="{answer}"></form>'
            "<script>document.forms[0].submit()</script>"
        )

    def answer(self, request_id: str, **wanted: Any) -> str:
        """Return an answer to a request, as its page posts it."""
        return base64.b64encode(etree.tostring(self.signed(request_id, **wanted))).decode()

    def signed(
        self, request_id: str, *, pair: tuple[str, str] | None = None, **wanted: Any
    ) -> etree._Element:
        """Return the document of an answer, its assertion signed."""
        document = etree.fromstring(self.unsigned(request_id, **wanted))
        assertion = document.find("saml:Assertion", NS)
        assert assertion is not None
        key, certificate = pair or self.pair
        algorithms = {k: wanted[k] for k in ("sign_algorithm", "digest_algorithm") if k in wanted}
        done = etree.fromstring(
            Utils.add_sign(etree.tostring(assertion), key, certificate, **algorithms)
        )
        document.replace(assertion, done)
        return document

    def unsigned(
        self,
        request_id: str,
        *,
        name: str = "carol-1",
        format_: str = PERSISTENT,
        attributes: dict[str, list[str]] | None = None,
        at: datetime | None = None,
        life_s: float = 300,
        assertion_id: str = "",
        status: str = Names.STATUS_SUCCESS,
        without: tuple[str, ...] = (),
        **instead: Any,
    ) -> str:
        """Return the text of an answer; ``instead`` has other values, ``without`` drops some."""
        at = at or datetime.now(UTC)
        said = {
            "issuer": self.entity_id,
            "audience": self.audience,
            "recipient": self.acs,
            "destination": self.acs,
            "answers": request_id,
            "confirms": request_id,
        } | instead
        found = {"email": ["Carol@example.org"]} if attributes is None else attributes
        lines = "".join(
            f'<saml:Attribute Name="{each}">'
            + "".join(f"<saml:AttributeValue>{value}</saml:AttributeValue>" for value in values)
            + "</saml:Attribute>"
            for each, values in found.items()
        )
        lines = lines and f"<saml:AttributeStatement>{lines}</saml:AttributeStatement>"
        confirmed = {
            "InResponseTo": said["confirms"],
            "Recipient": said["recipient"],
            "NotOnOrAfter": _time(at + timedelta(seconds=life_s)),
        }
        held = " ".join(f'{k}="{v}"' for k, v in confirmed.items() if k not in without)
        audience = (
            ""
            if "Audience" in without
            else f"<saml:AudienceRestriction><saml:Audience>{said['audience']}</saml:Audience>"
            "</saml:AudienceRestriction>"
        )
        return f"""<samlp:Response xmlns:samlp="{Names.NS_SAMLP}" xmlns:saml="{Names.NS_SAML}"
 ID="_{uuid4().hex}" Version="2.0" IssueInstant="{_time(at)}" Destination="{said["destination"]}"
 InResponseTo="{said["answers"]}"><saml:Issuer>{said["issuer"]}</saml:Issuer>
<samlp:Status><samlp:StatusCode Value="{status}"/></samlp:Status>
<saml:Assertion ID="{assertion_id or "_" + uuid4().hex}" Version="2.0" IssueInstant="{_time(at)}">
<saml:Issuer>{said["issuer"]}</saml:Issuer>
<saml:Subject><saml:NameID Format="{format_}">{name}</saml:NameID>
<saml:SubjectConfirmation Method="{Names.CM_BEARER}"><saml:SubjectConfirmationData {held}/>
</saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="{_time(at)}" NotOnOrAfter="{_time(at + timedelta(seconds=life_s))}">
{audience}</saml:Conditions>
<saml:AuthnStatement AuthnInstant="{_time(at)}"><saml:AuthnContext><saml:AuthnContextClassRef>
{Names.AC_PASSWORD_PROTECTED}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
{lines}</saml:Assertion></samlp:Response>"""


def encrypted(document: etree._Element, certificate: str) -> str:
    """Return an answer as it is posted, its assertion for the eyes of one service."""
    assertion = document.find("saml:Assertion", NS)
    assert assertion is not None
    manager = xmlsec.KeysManager()
    manager.add_key(xmlsec.Key.from_memory(certificate, xmlsec.KeyFormat.CERT_PEM, None))
    hidden = xmlsec.template.encrypted_data_create(
        document, xmlsec.Transform.AES256, type=xmlsec.EncryptionType.ELEMENT, ns="xenc"
    )
    xmlsec.template.encrypted_data_ensure_cipher_value(hidden)
    info = xmlsec.template.encrypted_data_ensure_key_info(hidden, ns="ds")
    key = xmlsec.template.add_encrypted_key(info, xmlsec.Transform.RSA_OAEP)
    xmlsec.template.encrypted_data_ensure_cipher_value(key)
    context = xmlsec.EncryptionContext(manager)
    context.key = xmlsec.Key.generate(xmlsec.KeyData.AES, 256, xmlsec.KeyDataType.SESSION)
    around = etree.SubElement(document, f"{{{Names.NS_SAML}}}EncryptedAssertion")
    document.replace(assertion, around)
    alone = etree.fromstring(etree.tostring(assertion))
    around.append(context.encrypt_xml(hidden, alone))
    return base64.b64encode(etree.tostring(document)).decode()


def request_of(url: str) -> str:
    """Return the XML of the request that an address holds."""
    (packed,) = parse_qs(urlsplit(url).query)["SAMLRequest"]
    return zlib.decompress(base64.b64decode(packed), -15).decode()


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def main(port: str, base: str) -> None:
    """Run a provider for the product at an address, until its input ends."""
    here = f"{base}/api/v1/session/saml"
    provider = IdentityProvider(f"{here}/metadata", f"{here}/acs", port=int(port))
    sys.stdout.write("listening\n")
    sys.stdout.flush()
    sys.stdin.read()
    provider.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
