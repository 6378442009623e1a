"""Generated from the API's schema by generate.py. Do not edit."""

from __future__ import annotations

from typing import Any, Literal

from ampacity_client import types
from ampacity_client.transport import Transport


class Operations(Transport):
    """Every operation of the API, by its id."""

    def account_deletion(self) -> types.DeletionOutput:
        """Say when the account is deleted, if it is to be."""
        answer: types.DeletionOutput = self.ask_json("GET", "/api/v1/account/deletion")
        return answer

    def account_delete(self, body: types.AccountDeletionInputRequest) -> types.DeletionOutput:
        """Have one's account deleted after the grace time, with workspaces that one is alone in. 409 names those that would be without an owner. In the others one's name becomes 'a former member'."""
        answer: types.DeletionOutput = self.ask_json("POST", "/api/v1/account/deletion", body=body)
        return answer

    def account_keep(self) -> None:
        """Keep the account after all."""
        self.ask_bytes("DELETE", "/api/v1/account/deletion")

    def archives_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedArchiveOutputList:
        """List archives that were made and read in, newest first."""
        answer: types.PaginatedArchiveOutputList = self.ask_json("GET", "/api/v1/archives", query={"cursor": cursor, "limit": limit})
        return answer

    def archives_import(self, body: bytes, *, name: str | None = None, upload: str | None = None, idempotency_key: str | None = None) -> types.ArchiveOutput:
        """Read an archive into the workspace, all of it or, with the reason, nothing."""
        answer: types.ArchiveOutput = self.ask_json("POST", "/api/v1/archives", query={"name": name, "upload": upload}, headers={"Idempotency-Key": idempotency_key, "Content-Type": "application/octet-stream"}, body=body)
        return answer

    def archives_create(self, *, idempotency_key: str | None = None) -> types.ArchiveOutput:
        """Have everything of the workspace written into one file; an earlier one goes. Studies with named versions, runs with inputs and results, comments, approved versions and what is asked to be approved, own entries of the catalogue, imports and traces. Not in it: members, tokens, webhooks, links, reports, audit."""
        answer: types.ArchiveOutput = self.ask_json("POST", "/api/v1/archives/export", headers={"Idempotency-Key": idempotency_key})
        return answer

    def archives_get(self, archive_id: str) -> types.ArchiveOutput:
        """Return how far the archive is."""
        answer: types.ArchiveOutput = self.ask_json("GET", f"/api/v1/archives/{self.quoted(archive_id)}")
        return answer

    def archives_delete(self, archive_id: str) -> None:
        """Remove an archive with its file; what was read in from one stays."""
        self.ask_bytes("DELETE", f"/api/v1/archives/{self.quoted(archive_id)}")

    def archives_file(self, archive_id: str) -> bytes:
        """Return the file, or lead to where it is kept (302); 409 while there is none."""
        answer: bytes = self.ask_bytes("GET", f"/api/v1/archives/{self.quoted(archive_id)}/file")
        return answer

    def audit_list(self, *, cursor: str | None = None, kind: Literal['account', 'archive', 'catalogue', 'comment', 'design', 'email', 'import', 'invitation', 'member', 'pack', 'password', 'report', 'run', 'session', 'share', 'study', 'token', 'trace', 'webhook', 'workspace'] | None = None, limit: int | None = None, since: str | None = None, until: str | None = None, what: str | None = None, who: str | None = None) -> types.PaginatedAuditOutputList:
        """List what was done, by whom, newest first."""
        answer: types.PaginatedAuditOutputList = self.ask_json("GET", "/api/v1/audit", query={"cursor": cursor, "kind": kind, "limit": limit, "since": since, "until": until, "what": what, "who": who})
        return answer

    def audit_csv(self, *, kind: Literal['account', 'archive', 'catalogue', 'comment', 'design', 'email', 'import', 'invitation', 'member', 'pack', 'password', 'report', 'run', 'session', 'share', 'study', 'token', 'trace', 'webhook', 'workspace'] | None = None, since: str | None = None, until: str | None = None, what: str | None = None, who: str | None = None) -> bytes:
        """Return what was done as CSV, the latest 100,000 entries at most."""
        answer: bytes = self.ask_bytes("GET", "/api/v1/audit.csv", query={"kind": kind, "since": since, "until": until, "what": what, "who": who})
        return answer

    def catalogue_csv_export(self, *, capacity_tb_least: float | None = None, capacity_tb_most: float | None = None, cores_count_least: float | None = None, cores_count_most: float | None = None, kind: str, own: bool | None = None, price_usd_least: float | None = None, price_usd_most: float | None = None, provider: str | None = None, q: str | None = None, ram_gib_least: float | None = None, ram_gib_most: float | None = None, region: str | None = None, year_least: float | None = None, year_most: float | None = None) -> bytes:
        """Return entries of a kind as CSV, as the same address takes own ones back."""
        answer: bytes = self.ask_bytes("GET", "/api/v1/catalogue/csv", query={"capacity_tb_least": capacity_tb_least, "capacity_tb_most": capacity_tb_most, "cores_count_least": cores_count_least, "cores_count_most": cores_count_most, "kind": kind, "own": own, "price_usd_least": price_usd_least, "price_usd_most": price_usd_most, "provider": provider, "q": q, "ram_gib_least": ram_gib_least, "ram_gib_most": ram_gib_most, "region": region, "year_least": year_least, "year_most": year_most})
        return answer

    def catalogue_csv(self, body: types.CatalogueCsvInputRequest, *, idempotency_key: str | None = None) -> types.CatalogueCsvOutput:
        """Add or change own entries of one kind: all lines, or none and all that is wrong."""
        answer: types.CatalogueCsvOutput = self.ask_json("POST", "/api/v1/catalogue/csv", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def catalogue_drives_create(self, body: types.KeptDriveInputRequest, *, idempotency_key: str | None = None) -> types.CatalogueEntry:
        """Keep a calibrated drive as an entry of the workspace's own, with where it is from."""
        answer: types.CatalogueEntry = self.ask_json("POST", "/api/v1/catalogue/drives", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def catalogue_entries_list(self, *, capacity_tb_least: float | None = None, capacity_tb_most: float | None = None, cores_count_least: float | None = None, cores_count_most: float | None = None, cursor: str | None = None, kind: str | None = None, limit: int | None = None, own: bool | None = None, price_usd_least: float | None = None, price_usd_most: float | None = None, provider: str | None = None, q: str | None = None, ram_gib_least: float | None = None, ram_gib_most: float | None = None, region: str | None = None, sort: Literal['-capacity_tb', '-cores_count', '-price_usd', '-ram_gib', '-title', '-year', 'capacity_tb', 'cores_count', 'position', 'price_usd', 'ram_gib', 'title', 'year'] | None = None, year_least: float | None = None, year_most: float | None = None) -> types.PaginatedCatalogueEntryList:
        """List entries, with their values."""
        answer: types.PaginatedCatalogueEntryList = self.ask_json("GET", "/api/v1/catalogue/entries", query={"capacity_tb_least": capacity_tb_least, "capacity_tb_most": capacity_tb_most, "cores_count_least": cores_count_least, "cores_count_most": cores_count_most, "cursor": cursor, "kind": kind, "limit": limit, "own": own, "price_usd_least": price_usd_least, "price_usd_most": price_usd_most, "provider": provider, "q": q, "ram_gib_least": ram_gib_least, "ram_gib_most": ram_gib_most, "region": region, "sort": sort, "year_least": year_least, "year_most": year_most})
        return answer

    def catalogue_entries_create(self, body: types.CatalogueEntryInputRequest, *, idempotency_key: str | None = None) -> types.CatalogueEntry:
        """Add an entry of the workspace's own."""
        answer: types.CatalogueEntry = self.ask_json("POST", "/api/v1/catalogue/entries", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def catalogue_entries_retrieve(self, slug: str) -> types.CatalogueEntry:
        """Return the entry; the workspace's own goes before a built-in one."""
        answer: types.CatalogueEntry = self.ask_json("GET", f"/api/v1/catalogue/entries/{self.quoted(slug)}")
        return answer

    def catalogue_entries_partial_update(self, slug: str, body: types.PatchedCatalogueEntryChangeInputRequest) -> types.CatalogueEntry:
        """Change the workspace's own entry."""
        answer: types.CatalogueEntry = self.ask_json("PATCH", f"/api/v1/catalogue/entries/{self.quoted(slug)}", body=body)
        return answer

    def catalogue_entries_destroy(self, slug: str) -> None:
        """Remove the workspace's own entry."""
        self.ask_bytes("DELETE", f"/api/v1/catalogue/entries/{self.quoted(slug)}")

    def catalogue_facets(self, *, kind: str) -> types.CatalogueFacets:
        """Return how many entries each provider and each region has."""
        answer: types.CatalogueFacets = self.ask_json("GET", "/api/v1/catalogue/facets", query={"kind": kind})
        return answer

    def catalogue_kinds_list(self, *, cursor: str | None = None, limit: int | None = None, q: str | None = None) -> types.PaginatedCatalogueKindList:
        """List the kinds, with the number of entries of each, or of those that `q` finds."""
        answer: types.PaginatedCatalogueKindList = self.ask_json("GET", "/api/v1/catalogue/kinds", query={"cursor": cursor, "limit": limit, "q": q})
        return answer

    def catalogue_places_list(self, *, cursor: str | None = None, limit: int | None = None, named: str | None = None) -> types.PaginatedPlaceList:
        """List cities, with their countries and the codes of the regions there. A proposal takes these, any other city or country, or a region's code."""
        answer: types.PaginatedPlaceList = self.ask_json("GET", "/api/v1/catalogue/places", query={"cursor": cursor, "limit": limit, "named": named})
        return answer

    def catalogue_region_prices(self, *, entries: str | None = None, provider: str, region: str) -> types.RegionPrices:
        """Return the price of each entry there; null where the catalogue holds none."""
        answer: types.RegionPrices = self.ask_json("GET", "/api/v1/catalogue/prices", query={"entries": entries, "provider": provider, "region": region})
        return answer

    def catalogue_snapshots_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedCatalogueSnapshotList:
        """What the built-in catalogue was, and since when."""
        answer: types.PaginatedCatalogueSnapshotList = self.ask_json("GET", "/api/v1/catalogue/snapshots", query={"cursor": cursor, "limit": limit})
        return answer

    def comments_resolve(self, comment_id: str, body: types.PatchedCommentChangeRequest) -> types.CommentOutput:
        """Call a comment settled, or open again."""
        answer: types.CommentOutput = self.ask_json("PATCH", f"/api/v1/comments/{self.quoted(comment_id)}", body=body)
        return answer

    def comments_delete(self, comment_id: str) -> None:
        """Remove a comment of one's own; an owner removes anybody's."""
        self.ask_bytes("DELETE", f"/api/v1/comments/{self.quoted(comment_id)}")

    def designs_list(self, *, cursor: str | None = None, limit: int | None = None, study: str | None = None) -> types.PaginatedDesignHeadList:
        """List designs by their heads, last changed first."""
        answer: types.PaginatedDesignHeadList = self.ask_json("GET", "/api/v1/designs", query={"cursor": cursor, "limit": limit, "study": study})
        return answer

    def designs_get(self, design_id: str, *, if_none_match: str | None = None) -> types.DesignOutput:
        """Return the design with the faults of its draft."""
        answer: types.DesignOutput = self.ask_json("GET", f"/api/v1/designs/{self.quoted(design_id)}", headers={"If-None-Match": if_none_match})
        return answer

    def designs_replace(self, design_id: str, body: types.DesignUpdateInputRequest, *, ranges: Literal['drop', 'keep', 'move'] | None = None, if_match: str | None = None) -> types.DesignOutput:
        """Replace each part that is named; what is wrong with it comes back as `faults`."""
        answer: types.DesignOutput = self.ask_json("PUT", f"/api/v1/designs/{self.quoted(design_id)}", query={"ranges": ranges}, headers={"If-Match": if_match}, body=body)
        return answer

    def designs_update(self, design_id: str, body: types.PatchedDesignUpdateInputRequest, *, ranges: Literal['drop', 'keep', 'move'] | None = None, if_match: str | None = None) -> types.DesignOutput:
        """Merge into the draft (RFC 7396); what is wrong with it comes back as `faults`."""
        answer: types.DesignOutput = self.ask_json("PATCH", f"/api/v1/designs/{self.quoted(design_id)}", query={"ranges": ranges}, headers={"If-Match": if_match}, body=body)
        return answer

    def designs_delete(self, design_id: str, *, if_match: str | None = None) -> None:
        """Remove the design; the others keep their letters."""
        self.ask_bytes("DELETE", f"/api/v1/designs/{self.quoted(design_id)}", headers={"If-Match": if_match})

    def designs_copy(self, design_id: str, *, idempotency_key: str | None = None) -> types.DesignOutput:
        """Copy the design within its study."""
        answer: types.DesignOutput = self.ask_json("POST", f"/api/v1/designs/{self.quoted(design_id)}/copy", headers={"Idempotency-Key": idempotency_key})
        return answer

    def designs_diff(self, design_id: str, *, against: str) -> types.DesignDiffOutput:
        """Return what leads from a named version, or another design, to this one."""
        answer: types.DesignDiffOutput = self.ask_json("GET", f"/api/v1/designs/{self.quoted(design_id)}/diff", query={"against": against})
        return answer

    def designs_versions(self, design_id: str, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedVersionOutputList:
        """List the design's named versions, oldest first."""
        answer: types.PaginatedVersionOutputList = self.ask_json("GET", f"/api/v1/designs/{self.quoted(design_id)}/versions", query={"cursor": cursor, "limit": limit})
        return answer

    def designs_versions_create(self, design_id: str, body: types.VersionCreateInputRequest, *, idempotency_key: str | None = None) -> types.VersionOutput:
        """Give the design's present state a name."""
        answer: types.VersionOutput = self.ask_json("POST", f"/api/v1/designs/{self.quoted(design_id)}/versions", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def email_retrieve(self) -> types.EmailOutput:
        """Say whether one's address is confirmed."""
        answer: types.EmailOutput = self.ask_json("GET", "/api/v1/email")
        return answer

    def email_verify(self, *, idempotency_key: str | None = None) -> None:
        """Mail a link that confirms one's address."""
        self.ask_bytes("POST", "/api/v1/email", headers={"Idempotency-Key": idempotency_key})

    def mailed_events_get(self) -> types.MailedEvents:
        """Say which events one is mailed: none unless one has chosen."""
        answer: types.MailedEvents = self.ask_json("GET", "/api/v1/email/events")
        return answer

    def mailed_events_put(self, body: types.MailedEventsRequest) -> types.MailedEvents:
        """Choose the events that one is mailed; an empty list ends it."""
        answer: types.MailedEvents = self.ask_json("PUT", "/api/v1/email/events", body=body)
        return answer

    def evaluate(self, body: types.EvaluateInputRequest, *, figures: str | None = None, include: list[Literal['designs', 'break_evens', 'odds', 'rows', 'drawn']] | None = None) -> types.EvaluateOutput:
        """Evaluate a model now; 413 when the question is too large for that."""
        answer: types.EvaluateOutput = self.ask_json("POST", "/api/v1/evaluate", query={"figures": figures, "include": include}, body=body)
        return answer

    def imports_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedImportOutputList:
        """List imports, newest first."""
        answer: types.PaginatedImportOutputList = self.ask_json("GET", "/api/v1/imports", query={"cursor": cursor, "limit": limit})
        return answer

    def imports_create(self, body: bytes, *, dates: Literal['day_first', 'month_first'] | None = None, kind: Literal['quote'] | None = None, name: str | None = None, names: Literal['hash', 'keep', 'leave_out'] | None = None, numbers: Literal['comma', 'point'] | None = None, upload: str | None = None, idempotency_key: str | None = None) -> types.ImportDetail:
        """Upload a file, as a form or as the body; a worker finds out what it is and reads it."""
        answer: types.ImportDetail = self.ask_json("POST", "/api/v1/imports", query={"dates": dates, "kind": kind, "name": name, "names": names, "numbers": numbers, "upload": upload}, headers={"Idempotency-Key": idempotency_key, "Content-Type": "application/octet-stream"}, body=body)
        return answer

    def imports_again(self, body: types.KnownFileInputRequest, *, idempotency_key: str | None = None) -> types.ImportDetail:
        """Import a file that was read here before without sending it; 404 where it was not."""
        answer: types.ImportDetail = self.ask_json("POST", "/api/v1/imports/again", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def imports_formats(self) -> types.ImportFormats:
        """Return every kind of file that can be imported."""
        answer: types.ImportFormats = self.ask_json("GET", "/api/v1/imports/formats")
        return answer

    def imports_prices(self, *, cursor: str | None = None, limit: int | None = None, provider: str | None = None) -> types.PaginatedKeptPriceListList:
        """List the price lists that were read and are kept, newest first."""
        answer: types.PaginatedKeptPriceListList = self.ask_json("GET", "/api/v1/imports/prices", query={"cursor": cursor, "limit": limit, "provider": provider})
        return answer

    def imports_fetch(self, body: types.PriceListInputRequest, *, idempotency_key: str | None = None) -> types.ImportDetail:
        """Fetch the price list of a region from its provider; it is then read as a file is."""
        answer: types.ImportDetail = self.ask_json("POST", "/api/v1/imports/prices", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def imports_get(self, import_id: str) -> types.ImportDetail:
        """Return what the file says."""
        answer: types.ImportDetail = self.ask_json("GET", f"/api/v1/imports/{self.quoted(import_id)}")
        return answer

    def imports_delete(self, import_id: str) -> None:
        """Remove an import. What a study took from it stays."""
        self.ask_bytes("DELETE", f"/api/v1/imports/{self.quoted(import_id)}")

    def imports_accept(self, import_id: str, body: types.ImportAcceptInputRequest, *, idempotency_key: str | None = None) -> types.ImportAccepted:
        """Make a new study of it, or replace the baseline of one; of a quote, a catalogue entry. It can be undone as a whole."""
        answer: types.ImportAccepted = self.ask_json("POST", f"/api/v1/imports/{self.quoted(import_id)}/accept", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def imports_cancel(self, import_id: str, *, idempotency_key: str | None = None) -> types.ImportDetail:
        """Ask for the reading to stop."""
        answer: types.ImportDetail = self.ask_json("POST", f"/api/v1/imports/{self.quoted(import_id)}/cancel", headers={"Idempotency-Key": idempotency_key})
        return answer

    def imports_differences(self, import_id: str, *, letter: str | None = None) -> types.ImportTable:
        """Explain the difference between a bill and a design of its study, line by line."""
        answer: types.ImportTable = self.ask_json("GET", f"/api/v1/imports/{self.quoted(import_id)}/differences", query={"letter": letter})
        return answer

    def imports_draft(self, import_id: str, body: types.ImportOptionsInputRequest, *, idempotency_key: str | None = None) -> types.ImportDraft:
        """Return what a study, or the catalogue, would take; nothing is written."""
        answer: types.ImportDraft = self.ask_json("POST", f"/api/v1/imports/{self.quoted(import_id)}/draft", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def imports_months(self, import_id: str) -> types.ImportMonths:
        """Return what a bill cost month by month, as a forecast takes it."""
        answer: types.ImportMonths = self.ask_json("GET", f"/api/v1/imports/{self.quoted(import_id)}/months")
        return answer

    def imports_price_changes(self, import_id: str, *, before: str) -> types.PriceChanges:
        """Return what is new, gone and changed since another list of the same provider."""
        answer: types.PriceChanges = self.ask_json("GET", f"/api/v1/imports/{self.quoted(import_id)}/price-changes", query={"before": before})
        return answer

    def imports_undo(self, import_id: str, *, idempotency_key: str | None = None) -> types.ImportDetail:
        """Restore what the study was; refused when it was changed since."""
        answer: types.ImportDetail = self.ask_json("POST", f"/api/v1/imports/{self.quoted(import_id)}/undo", headers={"Idempotency-Key": idempotency_key})
        return answer

    def invitations_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedInvitationOutputList:
        """Invitations to the workspace that nobody has taken yet."""
        answer: types.PaginatedInvitationOutputList = self.ask_json("GET", "/api/v1/invitations", query={"cursor": cursor, "limit": limit})
        return answer

    def invitations_create(self, body: types.InvitationInputRequest, *, idempotency_key: str | None = None) -> types.InvitationCreated:
        """Invite somebody: the answer is the only place where the link can be read. A token invites no owner: it would outlive itself."""
        answer: types.InvitationCreated = self.ask_json("POST", "/api/v1/invitations", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def invitations_revoke(self, invitation_id: str) -> None:
        """Withdraw the invitation."""
        self.ask_bytes("DELETE", f"/api/v1/invitations/{self.quoted(invitation_id)}")

    def join(self, body: types.JoinInputRequest) -> types.SessionOutput:
        """Become a member, and go on in that workspace; without a session, make an account."""
        answer: types.SessionOutput = self.ask_json("POST", "/api/v1/join", body=body)
        return answer

    def join_look(self, body: types.JoinLookInputRequest) -> types.JoinLookOutput:
        """Say which workspace a link of invitation opens; 404 when it is no longer open."""
        answer: types.JoinLookOutput = self.ask_json("POST", "/api/v1/join/look", body=body)
        return answer

    def mail_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedMessageList:
        """List the messages that were not sent out, newest first, to who runs the service."""
        answer: types.PaginatedMessageList = self.ask_json("GET", "/api/v1/mail", query={"cursor": cursor, "limit": limit})
        return answer

    def mailed(self, body: types.MailedInputRequest) -> types.SessionOutput:
        """Make the account, set the password, or confirm the address; and sign in."""
        answer: types.SessionOutput = self.ask_json("POST", "/api/v1/mailed", body=body)
        return answer

    def mailed_look(self, body: types.MailedLookInputRequest) -> types.MailedLookOutput:
        """Say what a mailed link does, for whom; 404 when it is no longer open."""
        answer: types.MailedLookOutput = self.ask_json("POST", "/api/v1/mailed/look", body=body)
        return answer

    def members_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedMemberOutputList:
        """Who belongs to the workspace, and as what."""
        answer: types.PaginatedMemberOutputList = self.ask_json("GET", "/api/v1/members", query={"cursor": cursor, "limit": limit})
        return answer

    def member_groups_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedProvisionedGroupOutputList:
        """List the groups that an identity provider told of, and the role that each gives."""
        answer: types.PaginatedProvisionedGroupOutputList = self.ask_json("GET", "/api/v1/members/groups", query={"cursor": cursor, "limit": limit})
        return answer

    def member_groups_change(self, group_id: str, body: types.PatchedProvisionedGroupInputRequest) -> types.ProvisionedGroupOutput:
        """Choose the role that a group gives; those who are in it have it at once."""
        answer: types.ProvisionedGroupOutput = self.ask_json("PATCH", f"/api/v1/members/groups/{self.quoted(group_id)}", body=body)
        return answer

    def members_change(self, member_id: str, body: types.PatchedMemberInputRequest) -> types.MemberOutput:
        """Give a member another role; to hand a workspace over, make somebody an owner."""
        answer: types.MemberOutput = self.ask_json("PATCH", f"/api/v1/members/{self.quoted(member_id)}", body=body)
        return answer

    def members_remove(self, member_id: str) -> None:
        """Remove a member; what they made stays, their tokens end."""
        self.ask_bytes("DELETE", f"/api/v1/members/{self.quoted(member_id)}")

    def models_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedModelOutputList:
        """List every model."""
        answer: types.PaginatedModelOutputList = self.ask_json("GET", "/api/v1/models", query={"cursor": cursor, "limit": limit})
        return answer

    def models_get(self, model_id: str) -> types.ModelDetailOutput:
        """Return the model with the JSON schemas of its input and output, and its formulas."""
        answer: types.ModelDetailOutput = self.ask_json("GET", f"/api/v1/models/{self.quoted(model_id)}")
        return answer

    def models_checks(self, model_id: str, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedCheckOutputList:
        """Return each published figure with the model's own beside it, computed live."""
        answer: types.PaginatedCheckOutputList = self.ask_json("GET", f"/api/v1/models/{self.quoted(model_id)}/checks", query={"cursor": cursor, "limit": limit})
        return answer

    def number_format_get(self) -> types.NumberFormat:
        """Return how one's numbers are written."""
        answer: types.NumberFormat = self.ask_json("GET", "/api/v1/number-format")
        return answer

    def number_format_put(self, body: types.NumberFormatRequest) -> types.NumberFormat:
        """Choose how one's numbers are written."""
        answer: types.NumberFormat = self.ask_json("PUT", "/api/v1/number-format", body=body)
        return answer

    def outlooks_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedOutlookOutputList:
        """List the latest, without what each study would do."""
        answer: types.PaginatedOutlookOutputList = self.ask_json("GET", "/api/v1/outlooks", query={"cursor": cursor, "limit": limit})
        return answer

    def outlooks_create(self, *, idempotency_key: str | None = None) -> types.OutlookOutput:
        """Have workers find out which studies would move; 409 while they are at it."""
        answer: types.OutlookOutput = self.ask_json("POST", "/api/v1/outlooks", headers={"Idempotency-Key": idempotency_key})
        return answer

    def outlooks_get(self, outlook_id: str) -> types.OutlookDetail:
        """Return every study that was looked at, what moves most first."""
        answer: types.OutlookDetail = self.ask_json("GET", f"/api/v1/outlooks/{self.quoted(outlook_id)}")
        return answer

    def outlooks_cancel(self, outlook_id: str, *, idempotency_key: str | None = None) -> types.OutlookOutput:
        """Ask for it to stop; 409 when it has ended already."""
        answer: types.OutlookOutput = self.ask_json("POST", f"/api/v1/outlooks/{self.quoted(outlook_id)}/cancel", headers={"Idempotency-Key": idempotency_key})
        return answer

    def packs_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedPackList:
        """List the packs, the workspace's own first."""
        answer: types.PaginatedPackList = self.ask_json("GET", "/api/v1/packs", query={"cursor": cursor, "limit": limit})
        return answer

    def packs_create(self, body: types.PackInputRequest, *, idempotency_key: str | None = None) -> types.PackDetail:
        """Add a pack of the workspace's own; its fields are those of `/packs/fields`."""
        answer: types.PackDetail = self.ask_json("POST", "/api/v1/packs", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def packs_fields(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedPackFieldList:
        """List the numbers that a pack may hold, with their units."""
        answer: types.PaginatedPackFieldList = self.ask_json("GET", "/api/v1/packs/fields", query={"cursor": cursor, "limit": limit})
        return answer

    def packs_get(self, slug: str) -> types.PackDetail:
        """Return the pack with what it was before."""
        answer: types.PackDetail = self.ask_json("GET", f"/api/v1/packs/{self.quoted(slug)}")
        return answer

    def packs_update(self, slug: str, body: types.PatchedPackChangeInputRequest) -> types.PackDetail:
        """Make another version of the workspace's own pack; `values` replaces all of them."""
        answer: types.PackDetail = self.ask_json("PATCH", f"/api/v1/packs/{self.quoted(slug)}", body=body)
        return answer

    def packs_delete(self, slug: str) -> None:
        """Remove the workspace's own pack; studies that follow it keep their numbers."""
        self.ask_bytes("DELETE", f"/api/v1/packs/{self.quoted(slug)}")

    def password_retrieve(self) -> types.PasswordOutput:
        """Say whether there is a password, and whether the first one may be set now."""
        answer: types.PasswordOutput = self.ask_json("GET", "/api/v1/password")
        return answer

    def password_change(self, body: types.PasswordInputRequest) -> types.PasswordOutput:
        """Change the password, or set the first one; one's other sessions end."""
        answer: types.PasswordOutput = self.ask_json("POST", "/api/v1/password", body=body)
        return answer

    def password_forgotten(self, body: types.AddressInputRequest) -> None:
        """Mail a link that sets a new password; the same answer for an unknown address."""
        self.ask_bytes("POST", "/api/v1/password/forgotten", body=body)

    def reports_list(self, *, cursor: str | None = None, limit: int | None = None, study: str | None = None) -> types.PaginatedReportOutputList:
        """List reports, newest first."""
        answer: types.PaginatedReportOutputList = self.ask_json("GET", "/api/v1/reports", query={"cursor": cursor, "limit": limit, "study": study})
        return answer

    def reports_create(self, body: types.ReportCreateInputRequest, *, idempotency_key: str | None = None) -> types.ReportOutput:
        """Have a study drawn from its saved version, or a run of any model from its stored result. 422 with every error when the study is incomplete, 409 when the run has no result."""
        answer: types.ReportOutput = self.ask_json("POST", "/api/v1/reports", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def reports_get(self, report_id: str) -> types.ReportOutput:
        """Return the report's state and which result it shows."""
        answer: types.ReportOutput = self.ask_json("GET", f"/api/v1/reports/{self.quoted(report_id)}")
        return answer

    def reports_delete(self, report_id: str) -> None:
        """Remove a report with its file."""
        self.ask_bytes("DELETE", f"/api/v1/reports/{self.quoted(report_id)}")

    def reports_file(self, report_id: str) -> bytes:
        """Return the file, or lead to where it is kept (302); 409 while there is none."""
        answer: bytes = self.ask_bytes("GET", f"/api/v1/reports/{self.quoted(report_id)}/file")
        return answer

    def runs_list(self, *, approved: bool | None = None, burst: str | None = None, cursor: str | None = None, figures: bool | None = None, folded: bool | None = None, limit: int | None = None, model: str | None = None, moved: bool | None = None, state: Literal['cancelled', 'failed', 'queued', 'running', 'succeeded'] | None = None, study: str | None = None) -> types.PaginatedRunOutputList:
        """List runs, newest first."""
        answer: types.PaginatedRunOutputList = self.ask_json("GET", "/api/v1/runs", query={"approved": approved, "burst": burst, "cursor": cursor, "figures": figures, "folded": folded, "limit": limit, "model": model, "moved": moved, "state": state, "study": study})
        return answer

    def runs_create(self, body: types.RunCreateInputRequest, *, idempotency_key: str | None = None) -> types.RunOutput:
        """Start a run of a study, or of any model; an answered question ends at once."""
        answer: types.RunOutput = self.ask_json("POST", "/api/v1/runs", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def runs_get(self, run_id: str) -> types.RunDetailOutput:
        """Return the run's state and its frozen inputs."""
        answer: types.RunDetailOutput = self.ask_json("GET", f"/api/v1/runs/{self.quoted(run_id)}")
        return answer

    def runs_delete(self, run_id: str) -> None:
        """Remove a run with its result; 409 when it was approved."""
        self.ask_bytes("DELETE", f"/api/v1/runs/{self.quoted(run_id)}")

    def runs_again(self, run_id: str, *, idempotency_key: str | None = None) -> types.RunOutput:
        """Compute the same inputs anew with the model as it is now, to be compared."""
        answer: types.RunOutput = self.ask_json("POST", f"/api/v1/runs/{self.quoted(run_id)}/again", headers={"Idempotency-Key": idempotency_key})
        return answer

    def runs_cancel(self, run_id: str, *, idempotency_key: str | None = None) -> types.RunOutput:
        """Ask the run to stop; 409 when it has ended already."""
        answer: types.RunOutput = self.ask_json("POST", f"/api/v1/runs/{self.quoted(run_id)}/cancel", headers={"Idempotency-Key": idempotency_key})
        return answer

    def runs_causes(self, run_id: str, *, against: str) -> types.RunCausesOutput:
        """Return the causes of the change since another run; they add up to it."""
        answer: types.RunCausesOutput = self.ask_json("GET", f"/api/v1/runs/{self.quoted(run_id)}/causes", query={"against": against})
        return answer

    def runs_compare(self, run_id: str, *, against: str) -> types.RunCompareOutput:
        """Return the figures that differ from those of another run."""
        answer: types.RunCompareOutput = self.ask_json("GET", f"/api/v1/runs/{self.quoted(run_id)}/compare", query={"against": against})
        return answer

    def runs_result_focus(self, run_id: str) -> bytes:
        """Return what each design costs, by year and cause, as rows of FOCUS 1.0 (CSV)."""
        answer: bytes = self.ask_bytes("GET", f"/api/v1/runs/{self.quoted(run_id)}/focus.csv")
        return answer

    def runs_result(self, run_id: str, *, figures: str | None = None, include: list[Literal['designs', 'break_evens', 'odds', 'rows', 'drawn']] | None = None) -> types.RunResultOutput:
        """Return what the run found, series reduced to 2,000 points; 409 while there is nothing. Of a comparison the `summary`, and of the rest the parts in `include`."""
        answer: types.RunResultOutput = self.ask_json("GET", f"/api/v1/runs/{self.quoted(run_id)}/result", query={"figures": figures, "include": include})
        return answer

    def runs_result_bin(self, run_id: str) -> bytes:
        """Return every series in full as little-endian float32 columns behind a JSON head."""
        answer: bytes = self.ask_bytes("GET", f"/api/v1/runs/{self.quoted(run_id)}/result.bin")
        return answer

    def runs_result_csv(self, run_id: str) -> bytes:
        """Return every series in full as CSV, one column each, in the study's currency."""
        answer: bytes = self.ask_bytes("GET", f"/api/v1/runs/{self.quoted(run_id)}/result.csv")
        return answer

    def session_retrieve(self) -> types.SessionOutput:
        """Say who is signed in, or whose a token is; 401 when nobody is. Sets the CSRF cookie."""
        answer: types.SessionOutput = self.ask_json("GET", "/api/v1/session")
        return answer

    def session_create(self, body: types.SessionCreateInputRequest) -> types.SessionOutput:
        """Sign in with a one-time code, or with e-mail and password."""
        answer: types.SessionOutput = self.ask_json("POST", "/api/v1/session", body=body)
        return answer

    def session_destroy(self) -> None:
        """Sign out; also right when nobody is signed in."""
        self.ask_bytes("DELETE", "/api/v1/session")

    def session_openid(self) -> types.OpenIdOutput:
        """Begin to sign in at the provider: good for ten minutes, in this browser."""
        answer: types.OpenIdOutput = self.ask_json("POST", "/api/v1/session/openid")
        return answer

    def session_openid_answer(self, body: types.OpenIdAnswerInputRequest) -> types.SessionOutput:
        """Sign in with what the provider answered, once."""
        answer: types.SessionOutput = self.ask_json("POST", "/api/v1/session/openid/answer", body=body)
        return answer

    def session_saml(self) -> types.OpenIdOutput:
        """Begin to sign in at the identity provider: good for ten minutes, in this browser."""
        answer: types.OpenIdOutput = self.ask_json("POST", "/api/v1/session/saml")
        return answer

    def session_saml_answer(self, body: types.SamlAnswerInputRequest) -> types.SessionOutput:
        """Sign in with what the identity provider answered, once, in the browser that asked."""
        answer: types.SessionOutput = self.ask_json("POST", "/api/v1/session/saml/answer", body=body)
        return answer

    def session_saml_metadata(self) -> bytes:
        """Describe this service to an identity provider: names, addresses, certificate."""
        answer: bytes = self.ask_bytes("GET", "/api/v1/session/saml/metadata")
        return answer

    def session_enter(self, body: types.EnterInputRequest) -> types.SessionOutput:
        """Go on in another of one's workspaces."""
        answer: types.SessionOutput = self.ask_json("POST", "/api/v1/session/workspace", body=body)
        return answer

    def sessions_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedOwnSessionList:
        """List one's sessions, the latest first."""
        answer: types.PaginatedOwnSessionList = self.ask_json("GET", "/api/v1/sessions", query={"cursor": cursor, "limit": limit})
        return answer

    def sessions_end(self, session_id: str) -> None:
        """Sign a browser out."""
        self.ask_bytes("DELETE", f"/api/v1/sessions/{self.quoted(session_id)}")

    def shared_get(self, *, figures: str | None = None, include: list[Literal['designs', 'break_evens', 'odds', 'rows', 'drawn']] | None = None) -> types.SharedOutput:
        """Return the comparison that is shared; 409 while it is being computed."""
        answer: types.SharedOutput = self.ask_json("GET", "/api/v1/shared", query={"figures": figures, "include": include})
        return answer

    def shared_report(self, *, idempotency_key: str | None = None) -> types.ReportOutput:
        """Have the PDF drawn, or say how far it is; ask until its state is `succeeded`."""
        answer: types.ReportOutput = self.ask_json("POST", "/api/v1/shared/report", headers={"Idempotency-Key": idempotency_key})
        return answer

    def shared_report_file(self) -> bytes:
        """Return the PDF; 409 while there is none."""
        answer: bytes = self.ask_bytes("GET", "/api/v1/shared/report/file")
        return answer

    def shares_revoke(self, share_id: str) -> None:
        """Revoke the link: it opens nothing from now on."""
        self.ask_bytes("DELETE", f"/api/v1/shares/{self.quoted(share_id)}")

    def sign_up_look(self) -> types.DoorOutput:
        """Say who may make an account here, and whether there is mail."""
        answer: types.DoorOutput = self.ask_json("GET", "/api/v1/sign-up")
        return answer

    def sign_up(self, body: types.AddressInputRequest) -> None:
        """Mail a link that makes an account, where everybody may make one."""
        self.ask_bytes("POST", "/api/v1/sign-up", body=body)

    def snapshots_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedCatalogueSnapshotList:
        """What the built-in catalogue was, and since when."""
        answer: types.PaginatedCatalogueSnapshotList = self.ask_json("GET", "/api/v1/snapshots", query={"cursor": cursor, "limit": limit})
        return answer

    def studies_list(self, *, cursor: str | None = None, examples: bool | None = None, limit: int | None = None, q: str | None = None, sort: Literal['-cost_usd', '-title', '-updated_at', 'cost_usd', 'title', 'updated_at'] | None = None, tag: str | None = None) -> types.PaginatedStudyCardList:
        """List the studies as cards, last changed first."""
        answer: types.PaginatedStudyCardList = self.ask_json("GET", "/api/v1/studies", query={"cursor": cursor, "examples": examples, "limit": limit, "q": q, "sort": sort, "tag": tag})
        return answer

    def studies_create(self, body: types.StudyCreateInputRequest, *, idempotency_key: str | None = None) -> types.StudyOutput:
        """Create a study; its documents may be incomplete drafts."""
        answer: types.StudyOutput = self.ask_json("POST", "/api/v1/studies", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def studies_import(self, body: bytes, *, idempotency_key: str | None = None) -> types.StudyOutput:
        """Create the study that the body, a file made by `export`, holds."""
        answer: types.StudyOutput = self.ask_json("POST", "/api/v1/studies/import", headers={"Idempotency-Key": idempotency_key, "Content-Type": "application/yaml"}, body=body)
        return answer

    def studies_propose(self, body: types.StudyProposeInputRequest, *, idempotency_key: str | None = None) -> types.StudyProposeOutput:
        """Propose a design for each option, sized, and priced from the catalogue."""
        answer: types.StudyProposeOutput = self.ask_json("POST", "/api/v1/studies/propose", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def studies_standing(self) -> types.Standing:
        """Return which studies are stale by prices, and which wait for approval."""
        answer: types.Standing = self.ask_json("GET", "/api/v1/studies/standing")
        return answer

    def studies_tags(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedStudyTagList:
        """List the tags in order of the alphabet."""
        answer: types.PaginatedStudyTagList = self.ask_json("GET", "/api/v1/studies/tags", query={"cursor": cursor, "limit": limit})
        return answer

    def studies_templates(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedStudyTemplateList:
        """List the kinds of work."""
        answer: types.PaginatedStudyTemplateList = self.ask_json("GET", "/api/v1/studies/templates", query={"cursor": cursor, "limit": limit})
        return answer

    def studies_get(self, study_id: str, *, if_none_match: str | None = None) -> types.StudyOutput:
        """Return the study with its designs and the faults of its drafts."""
        answer: types.StudyOutput = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}", headers={"If-None-Match": if_none_match})
        return answer

    def studies_replace(self, study_id: str, body: types.StudyUpdateInputRequest, *, ranges: Literal['drop', 'keep', 'move'] | None = None, if_match: str | None = None) -> types.StudyOutput:
        """Replace each part that is named; what is wrong with it comes back as `faults`."""
        answer: types.StudyOutput = self.ask_json("PUT", f"/api/v1/studies/{self.quoted(study_id)}", query={"ranges": ranges}, headers={"If-Match": if_match}, body=body)
        return answer

    def studies_update(self, study_id: str, body: types.PatchedStudyUpdateInputRequest, *, ranges: Literal['drop', 'keep', 'move'] | None = None, if_match: str | None = None) -> types.StudyOutput:
        """Merge into the draft (RFC 7396); what is wrong with it comes back as `faults`."""
        answer: types.StudyOutput = self.ask_json("PATCH", f"/api/v1/studies/{self.quoted(study_id)}", query={"ranges": ranges}, headers={"If-Match": if_match}, body=body)
        return answer

    def studies_delete(self, study_id: str, *, if_match: str | None = None) -> None:
        """Delete the study with all that belongs to it."""
        self.ask_bytes("DELETE", f"/api/v1/studies/{self.quoted(study_id)}", headers={"If-Match": if_match})

    def actuals_get(self, study_id: str) -> types.ActualsOutput:
        """Return what was entered, and the differences by month, in total and by cause."""
        answer: types.ActualsOutput = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/actuals")
        return answer

    def actuals_put(self, study_id: str, body: types.ActualsInputRequest) -> types.ActualsOutput:
        """Enter what happened, in place of what was entered before. 409 while no version of the study is approved."""
        answer: types.ActualsOutput = self.ask_json("PUT", f"/api/v1/studies/{self.quoted(study_id)}/actuals", body=body)
        return answer

    def actuals_range(self, study_id: str, body: types.ActualRangeInputRequest, *, idempotency_key: str | None = None) -> types.ActualsOutput:
        """Give the study the range that a cause offers; 409 when it offers none."""
        answer: types.ActualsOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/actuals/range", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def approvals_list(self, study_id: str, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedApprovalOutputList:
        """List the approved versions, the latest first."""
        answer: types.PaginatedApprovalOutputList = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/approvals", query={"cursor": cursor, "limit": limit})
        return answer

    def approvals_create(self, study_id: str, body: types.ApprovalInputRequest, *, idempotency_key: str | None = None) -> types.ApprovalOutput:
        """Freeze the study as it is saved now; 422 with every fault when it is incomplete."""
        answer: types.ApprovalOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/approvals", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def approvals_ask(self, study_id: str, body: types.ApprovalAskRequest, *, idempotency_key: str | None = None) -> None:
        """Tell webhooks, and owners who chose that mail; 422 when the study is incomplete."""
        self.ask_bytes("POST", f"/api/v1/studies/{self.quoted(study_id)}/approvals/ask", headers={"Idempotency-Key": idempotency_key}, body=body)

    def studies_baseline_csv(self, study_id: str, body: types.BaselineCsvInputRequest, *, idempotency_key: str | None = None, if_match: str | None = None) -> types.BaselineRead:
        """Replace the lines of the baseline by those of a table."""
        answer: types.BaselineRead = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/baseline-csv", headers={"Idempotency-Key": idempotency_key, "If-Match": if_match}, body=body)
        return answer

    def comments_list(self, study_id: str, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedCommentOutputList:
        """List the comments of a study, the first ones first, settled ones too."""
        answer: types.PaginatedCommentOutputList = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/comments", query={"cursor": cursor, "limit": limit})
        return answer

    def comments_create(self, study_id: str, body: types.CommentInputRequest, *, idempotency_key: str | None = None) -> types.CommentOutput:
        """Say something of a study, one of its designs, or a number."""
        answer: types.CommentOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/comments", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def studies_copy(self, study_id: str, *, idempotency_key: str | None = None) -> types.StudyOutput:
        """Copy the study with its designs."""
        answer: types.StudyOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/copy", headers={"Idempotency-Key": idempotency_key})
        return answer

    def studies_designs(self, study_id: str, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedDesignOutputList:
        """List the study's designs in their order."""
        answer: types.PaginatedDesignOutputList = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/designs", query={"cursor": cursor, "limit": limit})
        return answer

    def designs_create(self, study_id: str, body: types.DesignCreateInputRequest, *, idempotency_key: str | None = None) -> types.DesignOutput:
        """Add a design under the next free letter, at most eight."""
        answer: types.DesignOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/designs", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def designs_propose(self, study_id: str, body: types.ProposalOptionRequest, *, idempotency_key: str | None = None) -> types.DesignOutput:
        """Add a design of an option for the study's work, as a new study would have it."""
        answer: types.DesignOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/designs/propose", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def studies_document(self, study_id: str) -> types.StudyDocumentOutput:
        """Return the params that `evaluate` and `runs` take for this study."""
        answer: types.StudyDocumentOutput = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/document")
        return answer

    def studies_export(self, study_id: str, *, as_: Literal['json', 'yaml'] | None = None) -> bytes:
        """Return the whole study as one YAML or JSON file that can be imported again."""
        answer: bytes = self.ask_bytes("GET", f"/api/v1/studies/{self.quoted(study_id)}/export", query={"as": as_})
        return answer

    def studies_growth(self, study_id: str, body: types.GrowthInputRequest, *, idempotency_key: str | None = None) -> types.ToolRunListOutput:
        """Take a study's growth from a run of the forecast, with its range. The study refers to the run from then on, and says when the series has changed."""
        answer: types.ToolRunListOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/growth", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def studies_outlook(self, study_id: str, *, as_of: str | None = None, pack: str | None = None) -> types.StudyOutlook:
        """Return what the newest prices and today's plan would move of it, and a new run say. With a day or a pack, what these would move."""
        answer: types.StudyOutlook = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/outlook", query={"as_of": as_of, "pack": pack})
        return answer

    def studies_pack(self, study_id: str, *, entry: str | None = None) -> types.StudyPack:
        """Return the pack's numbers beside the study's, and which of them differ."""
        answer: types.StudyPack = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/pack", query={"entry": entry})
        return answer

    def studies_pack_follow(self, study_id: str, body: types.StudyPackInputRequest, *, idempotency_key: str | None = None) -> types.StudyOutput:
        """Have the study follow a pack, or its newest version, but for the places left."""
        answer: types.StudyOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/pack", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def studies_pack_leave(self, study_id: str) -> types.StudyOutput:
        """Have the study follow no pack; its numbers stay as they are."""
        answer: types.StudyOutput = self.ask_json("DELETE", f"/api/v1/studies/{self.quoted(study_id)}/pack")
        return answer

    def studies_prices_newer(self, study_id: str) -> types.StudyPrices:
        """Say which values these are, whether the study is complete or not; nothing is taken."""
        answer: types.StudyPrices = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/prices")
        return answer

    def studies_prices(self, study_id: str, *, idempotency_key: str | None = None) -> types.StudyOutput:
        """Take the catalogue's present values; what was typed stays; 409 when it has them."""
        answer: types.StudyOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/prices", headers={"Idempotency-Key": idempotency_key})
        return answer

    def studies_purchase_plan(self, study_id: str) -> types.StudyPurchaseOutput:
        """Give the input of a plan of purchases from a study's demand, machines and prices. The plan itself is a run of the model that is named."""
        answer: types.StudyPurchaseOutput = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/purchase-plan")
        return answer

    def studies_redo(self, study_id: str, *, idempotency_key: str | None = None) -> types.StudyOutput:
        """Make the edit again that was undone last; 409 when there is none."""
        answer: types.StudyOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/redo", headers={"Idempotency-Key": idempotency_key})
        return answer

    def shares_list(self, study_id: str, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedShareOutputList:
        """List the links that are open, the latest first."""
        answer: types.PaginatedShareOutputList = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/shares", query={"cursor": cursor, "limit": limit})
        return answer

    def shares_create(self, study_id: str, body: types.ShareInputRequest, *, idempotency_key: str | None = None) -> types.ShareCreated:
        """Make a link: the answer is the only place where it can be read."""
        answer: types.ShareCreated = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/shares", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def tool_runs_list(self, study_id: str) -> types.ToolRunListOutput:
        """List the runs of tools that a study refers to, and which are out of date."""
        answer: types.ToolRunListOutput = self.ask_json("GET", f"/api/v1/studies/{self.quoted(study_id)}/tool-runs")
        return answer

    def tool_runs_add(self, study_id: str, body: types.ToolRunInputRequest, *, idempotency_key: str | None = None) -> types.ToolRunListOutput:
        """Let a study refer to a run of a tool."""
        answer: types.ToolRunListOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/tool-runs", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def tool_runs_remove(self, run_id: str, study_id: str) -> None:
        """Let a study refer to the run no more; the run itself stays."""
        self.ask_bytes("DELETE", f"/api/v1/studies/{self.quoted(study_id)}/tool-runs/{self.quoted(run_id)}")

    def studies_undo(self, study_id: str, *, idempotency_key: str | None = None) -> types.StudyOutput:
        """Undo the last edit of the study or of its designs; 409 when there is none."""
        answer: types.StudyOutput = self.ask_json("POST", f"/api/v1/studies/{self.quoted(study_id)}/undo", headers={"Idempotency-Key": idempotency_key})
        return answer

    def tokens_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedTokenOutputList:
        """The workspace's API tokens."""
        answer: types.PaginatedTokenOutputList = self.ask_json("GET", "/api/v1/tokens", query={"cursor": cursor, "limit": limit})
        return answer

    def tokens_create(self, body: types.TokenCreateInputRequest, *, idempotency_key: str | None = None) -> types.TokenCreatedOutput:
        """Create a token; the answer is the only place where it can be read. A person makes it, in a session: a token that leaked must not outlive itself."""
        answer: types.TokenCreatedOutput = self.ask_json("POST", "/api/v1/tokens", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def tokens_destroy(self, token_id: str) -> None:
        """Revoke the token; a token revokes no other than itself."""
        self.ask_bytes("DELETE", f"/api/v1/tokens/{self.quoted(token_id)}")

    def traces_list(self, *, cursor: str | None = None, kind: str | None = None, limit: int | None = None, state: str | None = None) -> types.PaginatedTraceOutputList:
        """List traces, newest first."""
        answer: types.PaginatedTraceOutputList = self.ask_json("GET", "/api/v1/traces", query={"cursor": cursor, "kind": kind, "limit": limit, "state": state})
        return answer

    def traces_create(self, body: bytes, *, name: str | None = None, title: str | None = None, upload: str | None = None, idempotency_key: str | None = None) -> types.TraceDetail:
        """Upload a file, as a form or as the body; a worker finds out what it is and reads it."""
        answer: types.TraceDetail = self.ask_json("POST", "/api/v1/traces", query={"name": name, "title": title, "upload": upload}, headers={"Idempotency-Key": idempotency_key, "Content-Type": "application/octet-stream"}, body=body)
        return answer

    def traces_cloudwatch(self, body: types.CloudWatchInputRequest, *, idempotency_key: str | None = None) -> types.TraceDetail:
        """Read a span of a metric from CloudWatch; it becomes a trace."""
        answer: types.TraceDetail = self.ask_json("POST", "/api/v1/traces/cloudwatch", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def traces_formats(self) -> types.TraceFormats:
        """Return every format that traces are read from."""
        answer: types.TraceFormats = self.ask_json("GET", "/api/v1/traces/formats")
        return answer

    def traces_prometheus(self, body: types.PrometheusInputRequest, *, idempotency_key: str | None = None) -> types.TraceDetail:
        """Read a span of a query from a Prometheus server; it becomes a trace. A worker asks window by window. The server is one of the public internet, or one that the operator allows."""
        answer: types.TraceDetail = self.ask_json("POST", "/api/v1/traces/prometheus", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def traces_get(self, trace_id: str) -> types.TraceDetail:
        """Return what is known of a trace, and the lines that could not be read."""
        answer: types.TraceDetail = self.ask_json("GET", f"/api/v1/traces/{self.quoted(trace_id)}")
        return answer

    def traces_rename(self, trace_id: str, body: types.PatchedTraceRenameInputRequest) -> types.TraceDetail:
        """Give a trace another title."""
        answer: types.TraceDetail = self.ask_json("PATCH", f"/api/v1/traces/{self.quoted(trace_id)}", body=body)
        return answer

    def traces_delete(self, trace_id: str) -> None:
        """Remove a trace. Results that were computed from it stay."""
        self.ask_bytes("DELETE", f"/api/v1/traces/{self.quoted(trace_id)}")

    def traces_cancel(self, trace_id: str, *, idempotency_key: str | None = None) -> types.TraceDetail:
        """Ask for the reading to stop."""
        answer: types.TraceDetail = self.ask_json("POST", f"/api/v1/traces/{self.quoted(trace_id)}/cancel", headers={"Idempotency-Key": idempotency_key})
        return answer

    def traces_charts(self, trace_id: str) -> dict[str, types.JsonValue]:
        """Return the series of the charts; 409 while there are none."""
        answer: dict[str, types.JsonValue] = self.ask_json("GET", f"/api/v1/traces/{self.quoted(trace_id)}/charts")
        return answer

    def traces_told(self, trace_id: str) -> dict[str, types.JsonValue]:
        """Return headline, notes, tables and figures as data; 409 while there are none."""
        answer: dict[str, types.JsonValue] = self.ask_json("GET", f"/api/v1/traces/{self.quoted(trace_id)}/told")
        return answer

    def two_step_retrieve(self) -> types.TwoStepOutput:
        """Say whether one is asked for a code after the password."""
        answer: types.TwoStepOutput = self.ask_json("GET", "/api/v1/two-step")
        return answer

    def two_step_begin(self, body: types.TwoStepPasswordInputRequest) -> types.TwoStepBegunOutput:
        """Make a secret for an authenticator; it counts once it is confirmed."""
        answer: types.TwoStepBegunOutput = self.ask_json("POST", "/api/v1/two-step", body=body)
        return answer

    def two_step_confirm(self, body: types.TwoStepCodeInputRequest) -> types.RecoveryOutput:
        """Ask for codes from now on, once one is right; answer with recovery codes."""
        answer: types.RecoveryOutput = self.ask_json("POST", "/api/v1/two-step/confirm", body=body)
        return answer

    def two_step_off(self, body: types.TwoStepBothInputRequest) -> None:
        """Ask for codes no more."""
        self.ask_bytes("POST", "/api/v1/two-step/off", body=body)

    def two_step_recovery(self, body: types.TwoStepBothInputRequest) -> types.RecoveryOutput:
        """Make new recovery codes; those before are worth nothing."""
        answer: types.RecoveryOutput = self.ask_json("POST", "/api/v1/two-step/recovery", body=body)
        return answer

    def uploads_create(self, body: types.UploadInputRequest, *, idempotency_key: str | None = None) -> types.UploadOutput:
        """Announce a file; there must be room for it."""
        answer: types.UploadOutput = self.ask_json("POST", "/api/v1/uploads", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def uploads_get(self, upload_id: str) -> types.UploadOutput:
        """Return which parts are here, to go on after a broken connection."""
        answer: types.UploadOutput = self.ask_json("GET", f"/api/v1/uploads/{self.quoted(upload_id)}")
        return answer

    def uploads_delete(self, upload_id: str) -> None:
        """Give the upload up, with all that was sent."""
        self.ask_bytes("DELETE", f"/api/v1/uploads/{self.quoted(upload_id)}")

    def uploads_end(self, upload_id: str, *, idempotency_key: str | None = None) -> types.UploadOutput:
        """Make a file of the parts; 409 names those that are missing. `POST /traces?upload=ID` or `POST /imports?upload=ID` has it read; a day without either, and it is removed."""
        answer: types.UploadOutput = self.ask_json("POST", f"/api/v1/uploads/{self.quoted(upload_id)}/end", headers={"Idempotency-Key": idempotency_key})
        return answer

    def uploads_parts(self, upload_id: str, body: types.PartsInputRequest, *, idempotency_key: str | None = None) -> list[types.PartOutput]:
        """Return the addresses that parts may be sent to within the hour."""
        answer: list[types.PartOutput] = self.ask_json("POST", f"/api/v1/uploads/{self.quoted(upload_id)}/parts", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def uploads_part(self, number: str, upload_id: str, body: bytes) -> None:
        """Keep a part; sent again, it takes the place of what was sent before."""
        self.ask_bytes("PUT", f"/api/v1/uploads/{self.quoted(upload_id)}/parts/{self.quoted(number)}", headers={"Content-Type": "application/octet-stream"}, body=body)

    def usage(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedUsageOutputList:
        """Return every quota with what is used of it."""
        answer: types.PaginatedUsageOutputList = self.ask_json("GET", "/api/v1/usage", query={"cursor": cursor, "limit": limit})
        return answer

    def webhooks_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedWebhookOutputList:
        """List the webhooks, the first ones first."""
        answer: types.PaginatedWebhookOutputList = self.ask_json("GET", "/api/v1/webhooks", query={"cursor": cursor, "limit": limit})
        return answer

    def webhooks_create(self, body: types.WebhookInputRequest, *, idempotency_key: str | None = None) -> types.WebhookCreated:
        """Tell a program from now on: the answer is the only place where its secret can be read."""
        answer: types.WebhookCreated = self.ask_json("POST", "/api/v1/webhooks", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def webhooks_delete(self, webhook_id: str) -> None:
        """Tell the program nothing more."""
        self.ask_bytes("DELETE", f"/api/v1/webhooks/{self.quoted(webhook_id)}")

    def webhooks_deliveries(self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedDeliveryOutputList:
        """List the events with what the program answered, newest first."""
        answer: types.PaginatedDeliveryOutputList = self.ask_json("GET", f"/api/v1/webhooks/{self.quoted(webhook_id)}/deliveries", query={"cursor": cursor, "limit": limit})
        return answer

    def webhooks_again(self, delivery_id: str, webhook_id: str, *, idempotency_key: str | None = None) -> types.DeliveryOutput:
        """Send an event again that was taken or given up; 409 while it is being tried still."""
        answer: types.DeliveryOutput = self.ask_json("POST", f"/api/v1/webhooks/{self.quoted(webhook_id)}/deliveries/{self.quoted(delivery_id)}/again", headers={"Idempotency-Key": idempotency_key})
        return answer

    def workspaces_list(self, *, cursor: str | None = None, limit: int | None = None) -> types.PaginatedWorkspaceOutputList:
        """List the caller's workspaces, the first ones first; a token has one."""
        answer: types.PaginatedWorkspaceOutputList = self.ask_json("GET", "/api/v1/workspaces", query={"cursor": cursor, "limit": limit})
        return answer

    def workspaces_create(self, body: types.WorkspaceInputRequest) -> types.WorkspaceOutput:
        """Make a workspace, and own it; it starts with the examples."""
        answer: types.WorkspaceOutput = self.ask_json("POST", "/api/v1/workspaces", body=body)
        return answer

    def workspaces_rename(self, workspace_id: str, body: types.PatchedWorkspaceInputRequest) -> types.WorkspaceOutput:
        """Rename the workspace that the session is in."""
        answer: types.WorkspaceOutput = self.ask_json("PATCH", f"/api/v1/workspaces/{self.quoted(workspace_id)}", body=body)
        return answer

    def workspaces_deletion(self, workspace_id: str) -> types.DeletionOutput:
        """Say when the workspace is deleted, if it is to be."""
        answer: types.DeletionOutput = self.ask_json("GET", f"/api/v1/workspaces/{self.quoted(workspace_id)}/deletion")
        return answer

    def workspaces_delete(self, workspace_id: str, body: types.WorkspaceDeletionInputRequest, *, idempotency_key: str | None = None) -> types.DeletionOutput:
        """Have the workspace deleted with all that is in it, after the grace time. Its members are told by mail, and an owner can take it back until then."""
        answer: types.DeletionOutput = self.ask_json("POST", f"/api/v1/workspaces/{self.quoted(workspace_id)}/deletion", headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def workspaces_keep(self, workspace_id: str) -> None:
        """Keep the workspace after all."""
        self.ask_bytes("DELETE", f"/api/v1/workspaces/{self.quoted(workspace_id)}/deletion")

    def workspaces_leave(self, workspace_id: str, *, idempotency_key: str | None = None) -> None:
        """Leave the workspace that the session is in; who has no other gets one of their own."""
        self.ask_bytes("POST", f"/api/v1/workspaces/{self.quoted(workspace_id)}/leave", headers={"Idempotency-Key": idempotency_key})
