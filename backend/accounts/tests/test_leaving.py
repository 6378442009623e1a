"""Workspaces and people are deleted after a grace time, wholly, and can be kept until then."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.db import connections, transaction
from django.utils import timezone

from accounts.crossing import memberships_of
from accounts.leaving import deletions_carry_out
from accounts.mail import mail_send_due
from accounts.models import AuditEntry, Member
from accounts.tests.test_mail import Inbox, inbox
from archives.tests.test_archives import fill
from files.services import gone_remove

if TYPE_CHECKING:
    from accounts.testing import Person

__all__ = ["inbox"]
pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]
# Tables in which rows of a workspace stand, and columns in which an address may.
TABLES = """
SELECT c.oid::regclass::text FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
"""
WORDS = """
SELECT c.oid::regclass::text, a.attname FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace IN ('public'::regnamespace, 'identity'::regnamespace)
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND a.atttypid IN ('varchar'::regtype, 'text'::regtype, 'jsonb'::regtype)
  AND c.relname <> 'catalogue_entry'
"""


def as_nobody_hides(query: str, *names: str) -> list[tuple[Any, ...]]:
    """Ask as the owner of the tables, to whom the tests open every row."""
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_policies WHERE policyname = 'cleaner'")
        known = {name for (name,) in cursor.fetchall()}
        for name in names:
            if name.rpartition(".")[2] not in known:
                cursor.execute(f"CREATE POLICY cleaner ON {name} TO CURRENT_USER USING (true)")
        cursor.execute(query)
        return list(cursor.fetchall())


def rows_of(person: Person) -> dict[str, int]:
    """Count the rows of a workspace by table, with those of the workspace itself."""
    tables = [name for (name,) in as_nobody_hides(TABLES)]
    mine = f"workspace_id = '{person.workspace_id}'"
    counts = " UNION ALL ".join(
        f"SELECT '{name}', count(*) FROM {name} WHERE {mine}" for name in tables
    )
    (itself,) = as_nobody_hides(
        f"SELECT count(*) FROM accounts_workspace WHERE id = '{person.workspace_id}'"
    )
    found = {name: count for name, count in as_nobody_hides(counts, *tables) if count}
    return found | ({"accounts_workspace": itself[0]} if itself[0] else {})


def places_of(words: str) -> list[tuple[str, str]]:
    """Return every column of text or JSON that holds these words anywhere."""
    columns = as_nobody_hides(WORDS)
    tables = {table for table, _ in columns}
    query = " UNION ALL ".join(
        f"SELECT '{table}', '{field}' WHERE EXISTS "
        f"(SELECT FROM {table} t WHERE position('{words}' in t.\"{field}\"::text) > 0)"
        for table, field in columns
    )
    return [(table, field) for table, field in as_nobody_hides(query, *tables)]


def ask(person: Person, name: str) -> Any:
    return person.post(f"workspaces/{person.workspace_id}/deletion", {"name": name})


def subjects(inbox: Inbox, to: str) -> list[str]:
    return [one["Subject"] for one in inbox.messages if one["To"] == to]


def in_days(days: float) -> Any:
    return timezone.now() + timedelta(days=days)


def test_nothing_of_a_workspace_is_left_after_its_grace_time(
    alice: Person, bob: Person, charlie: Person, inbox: Inbox
) -> None:
    fill(alice)
    fill(charlie)
    alice.post("webhooks", {"url": "https://example.org/x"})
    alice.token()
    gone_remove()
    before, other = rows_of(alice), rows_of(charlie)
    assert len(before) > 15
    assert ask(bob, "Alice's").status_code == 403
    assert ask(alice, "Alices").json()["errors"][0]["pointer"] == "/name"
    found = ask(alice, "Alice's").json()
    assert found["grace_days"] == 14
    mail_send_due()
    assert deletions_carry_out(in_days(13.9)) == 0
    assert bob.get("studies").json()["results"]
    assert deletions_carry_out(in_days(14.1)) == 1
    gone_remove()
    assert rows_of(alice) == {}
    assert rows_of(charlie) == other
    # Both have a workspace to be in, and sign in as ever.
    for person in (alice, bob):
        (mine,) = memberships_of(person.account.user_id)
        assert mine.id != alice.workspace_id
        assert person.get("session").json()["workspace"]["id"] == str(mine.id)


def test_members_are_told_and_an_owner_can_keep_a_workspace(
    alice: Person, bob: Person, inbox: Inbox
) -> None:
    ask(alice, "Alice's")
    ask(alice, "Alice's")
    assert mail_send_due() == 2
    assert "will be deleted on" in subjects(inbox, "bob@example.org")[-1]
    path = f"workspaces/{alice.workspace_id}/deletion"
    assert bob.get(path).json()["deletes_at"]
    assert bob.delete(path).status_code == 403
    assert alice.delete(path).status_code == 204
    assert alice.delete(path).status_code == 204
    assert bob.get(path).json()["deletes_at"] is None
    assert mail_send_due() == 2
    assert subjects(inbox, "bob@example.org")[-1] == "Alice's stays"
    assert deletions_carry_out(in_days(99)) == 0
    with alice.workspace():
        actions = list(AuditEntry.objects.values_list("action", flat=True))
    assert (actions.count("workspace.delete"), actions.count("workspace.keep")) == (1, 1)


def test_another_workspace_is_not_deleted_by_its_id(alice: Person, charlie: Person) -> None:
    foreign = charlie.post(f"workspaces/{alice.workspace_id}/deletion", {"name": "Alice's"})
    missing = charlie.post(f"workspaces/{uuid4()}/deletion", {"name": "Alice's"})
    assert (foreign.status_code, foreign.json()) == (404, missing.json())


def test_a_person_goes_and_what_they_did_stays_without_their_name(
    alice: Person, bob: Person, inbox: Inbox
) -> None:
    made = fill(alice)
    bob.post(f"studies/{made['study']}/comments", {"text": "As Bob sees it."})
    bob.token()
    alice.post("invitations", {"role": "viewer", "email": "bob@example.org"})
    assert ("sharing_comment", "author") in places_of("bob@example.org")
    assert bob.post("account/deletion", {"email": "bob"}).status_code == 422
    assert bob.post("account/deletion", {"email": "bob@example.org"}).json()["deletes_at"]
    assert deletions_carry_out(in_days(13.9)) == 0
    assert bob.get("account/deletion").json()["deletes_at"]
    assert deletions_carry_out(in_days(14.1)) == 1
    assert places_of("bob@example.org") == []
    assert bob.get("studies").status_code == 401
    comments = alice.get(f"studies/{made['study']}/comments").json()["results"]
    assert [one["author"] for one in comments] == ["alice@example.org", "a former member"]
    (entry,) = alice.get("audit?kind=comment&who=a former member").json()["results"]
    assert entry["actor_email"] == "a former member"


def test_a_person_can_keep_their_account(alice: Person) -> None:
    alice.post("account/deletion", {"email": "Alice@example.org"})
    assert alice.delete("account/deletion").status_code == 204
    assert alice.get("account/deletion").json()["deletes_at"] is None
    assert deletions_carry_out(in_days(99)) == 0


def test_the_only_owner_hands_over_first(alice: Person, bob: Person) -> None:
    refused = alice.post("account/deletion", {"email": "alice@example.org"})
    assert (refused.status_code, refused.json()["workspaces"]) == (409, ["Alice's"])
    with alice.workspace():
        bobs = Member.objects.get(user_id=bob.account.user_id)
    alice.patch(f"members/{bobs.id}", {"role": "owner"})
    assert alice.post("account/deletion", {"email": "alice@example.org"}).status_code == 200
    # Bob goes from being an owner to leaving: then Alice, who was let go, is needed again.
    with alice.workspace():
        Member.objects.filter(id=bobs.id).update(role="editor")
    assert deletions_carry_out(in_days(15)) == 0
    with alice.workspace():
        Member.objects.filter(id=bobs.id).update(role="owner")
    assert deletions_carry_out(in_days(15)) == 1
    assert bob.get("members").json()["results"][0]["email"] == "bob@example.org"


def test_a_workspace_that_one_is_alone_in_goes_with_one(charlie: Person, alice: Person) -> None:
    fill(charlie)
    charlie.post("account/deletion", {"email": "charlie@example.org"})
    assert deletions_carry_out(in_days(15)) == 1
    gone_remove()
    assert rows_of(charlie) == {}
    assert places_of("charlie@example.org") == []
    assert alice.get("studies").status_code == 200
