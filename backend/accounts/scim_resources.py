"""What SCIM calls a user and a group here (RFC 7643), and what the service says of itself.

scim2-models brings the messages, filters, PATCH and schemas. Loading it takes a second, so only the
first request of SCIM does. Of people no more is taken than names them: what else a provider sends
is passed over.
"""

from __future__ import annotations

from typing import Annotated, Any

import email_validator
from pydantic import Field
from scim2_models import (
    URN,
    AuthenticationScheme,
    Bulk,
    CaseExact,
    ChangePassword,
    ComplexAttribute,
    Context,
    Email,
    ETag,
    Filter,
    GroupMembership,
    Mutability,
    Name,
    Patch,
    Reference,
    Required,
    Resource,
    ResourceType,
    Role,
    Schema,
    ScimPolicy,
    ScimProvider,
    ServiceProviderConfig,
    Sort,
    Uniqueness,
)

# Organisations have such domains of their own.
email_validator.SPECIAL_USE_DOMAIN_NAMES.remove("local")

PAGE_MOST = 200
# Okta and Entra ID send what the specification has otherwise: attributes of other schemas, a value
# with what is removed, a place in a list that is not there yet.
POLICY = ScimPolicy(
    unknown=ScimPolicy.Unknown.ignore,
    remove_value_as_filter=ScimPolicy.RemoveValue.apply,
    unmatched_path_filter=ScimPolicy.UnmatchedPathFilter.create,
)


class User(Resource[Any]):
    """A person of the workspace, or one who was."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:User")

    user_name: Annotated[str | None, Required.true, Uniqueness.server] = None
    name: Name | None = None
    display_name: str | None = None
    active: bool | None = None
    emails: list[Email] | None = None
    groups: Annotated[list[GroupMembership] | None, Mutability.read_only] = None
    roles: Annotated[list[Role] | None, Mutability.read_only] = None


class Member(ComplexAttribute):
    """A user in a group."""

    value: Annotated[str | None, Mutability.immutable, CaseExact.true] = None
    ref: Annotated[Reference[User] | None, Mutability.immutable] = Field(
        None, serialization_alias="$ref", validation_alias="$ref"
    )
    type: Annotated[str | None, Mutability.immutable] = Field(None, examples=["User"])


class Group(Resource[Any]):
    """A group of the provider's; an owner says which role it gives."""

    __schema__ = URN("urn:ietf:params:scim:schemas:core:2.0:Group")

    display_name: Annotated[str | None, Required.true, Uniqueness.server] = None
    members: list[Member] | None = None


CONFIG = ServiceProviderConfig(
    patch=Patch(supported=True),
    bulk=Bulk(supported=False, max_operations=0, max_payload_size=0),
    filter=Filter(supported=True, max_results=PAGE_MOST),
    change_password=ChangePassword(supported=False),
    sort=Sort(supported=False),
    etag=ETag(supported=False),
    authentication_schemes=[
        AuthenticationScheme(
            type="oauthbearertoken",
            name="API token",
            description="A token of the workspace with the scope provision.",
            primary=True,
        )
    ],
)
PROVIDER = ScimProvider(models=[User, Group], config=CONFIG, policy=POLICY)


def discovered(what: str, name: str, base: str) -> dict[str, Any] | None:
    """Return what the service says of itself: all of a kind, or one by name, if there is one."""
    if what == "ServiceProviderConfig":
        return _told(CONFIG, "ServiceProviderConfig", f"{base}/{what}")
    kinds: dict[str, tuple[ResourceType, ...] | tuple[Schema, ...]] = {
        "ResourceTypes": PROVIDER.resource_types,
        "Schemas": PROVIDER.schemas,
    }
    found = [_told(one, what[:-1], f"{base}/{what}/{one.id}") for one in kinds[what]]
    if name:
        return next((one for one in found if one["id"] == name), None)
    return {
        "schemas": ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
        "totalResults": len(found),
        "startIndex": 1,
        "itemsPerPage": len(found),
        "Resources": found,
    }


def _told(one: Resource[Any], kind: str, location: str) -> dict[str, Any]:
    told = one.model_dump(scim_ctx=Context.RESOURCE_QUERY_RESPONSE)
    return {**told, "meta": {"resourceType": kind, "location": location}}
