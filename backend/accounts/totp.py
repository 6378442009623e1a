"""One-time codes of an authenticator (TOTP, RFC 6238), and recovery codes instead of them.

The codes are pyotp's business. A secret is kept sealed, a recovery code as its hash.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import pyotp
from pyotp.utils import strings_equal

from accounts.models import Authenticator, RecoveryCode
from accounts.secrets import hash_of
from common.sealed import Unreadable, seal, unseal

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

ISSUER = "Ampacity"
STEP_S = 30
# A clock that is wrong by half a minute is let in.
DRIFT_STEPS = 1
RECOVERY_COUNT = 10
_PURPOSE = "authenticator"
# Without what looks alike; 16 of 31 letters are 79 bits.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 4


def is_on(user_id: UUID) -> bool:
    """Say whether a person is asked for a code after the password."""
    return Authenticator.objects.filter(user_id=user_id, confirmed_at__isnull=False).exists()


def begin(user_id: UUID) -> str:
    """Return a new secret; it counts once a code of it was given."""
    secret: str = pyotp.random_base32()
    Authenticator.objects.update_or_create(
        user_id=user_id,
        defaults={"sealed_secret": seal(secret, _PURPOSE), "confirmed_at": None, "last_step": 0},
    )
    return secret


def address_of(secret: str, email: str) -> str:
    """Return what an authenticator reads from the square."""
    found: str = pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=ISSUER)
    return found


def confirm(user_id: UUID, code: str, now: datetime) -> bool:
    """Begin to ask for codes, if this is one of the new secret."""
    if not _take_step(user_id, code, now, is_confirmed=False):
        return False
    Authenticator.objects.filter(user_id=user_id).update(confirmed_at=now)
    return True


def take(user_id: UUID, code: str, now: datetime) -> bool:
    """Say whether a code is right, of the authenticator or a recovery code; it is used up."""
    return _take_step(user_id, code, now, is_confirmed=True) or take_recovery(user_id, code, now)


def end(user_id: UUID) -> bool:
    """Ask for codes no more; say whether they were asked for."""
    RecoveryCode.objects.filter(user_id=user_id).delete()
    return Authenticator.objects.filter(user_id=user_id).delete()[0] > 0


def recovery_renew(user_id: UUID) -> list[str]:
    """Return new recovery codes, which are not kept; those before are worth nothing."""
    codes = [_recovery_new() for _ in range(RECOVERY_COUNT)]
    RecoveryCode.objects.filter(user_id=user_id).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(code_hash=_recovery_hash(user_id, code), user_id=user_id) for code in codes
    )
    return codes


def recovery_left(user_id: UUID) -> int:
    """Return how many recovery codes are unused."""
    return RecoveryCode.objects.filter(user_id=user_id).count()


def _take_step(user_id: UUID, code: str, now: datetime, *, is_confirmed: bool) -> bool:
    rows = Authenticator.objects.filter(user_id=user_id, confirmed_at__isnull=not is_confirmed)
    row = rows.first()
    if row is None:
        return False
    given = "".join(code.split())
    try:
        totp = pyotp.TOTP(unseal(row.sealed_secret, _PURPOSE), interval=STEP_S)
    except Unreadable:
        # The service has another SECRET_KEY by now; recovery codes do without.
        return False
    step = int(now.timestamp()) // STEP_S
    for each in range(step - DRIFT_STEPS, step + DRIFT_STEPS + 1):
        if strings_equal(totp.generate_otp(each), given):
            # Whoever moves the step has the code: it is not taken twice, nor one before it.
            return rows.filter(last_step__lt=each).update(last_step=each) > 0
    return False


def take_recovery(user_id: UUID, code: str, _now: datetime) -> bool:
    """Say whether it is a recovery code; it is used up."""
    rows = RecoveryCode.objects.filter(code_hash=_recovery_hash(user_id, code), user_id=user_id)
    return rows.delete()[0] > 0


def _recovery_new() -> str:
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)


def _recovery_hash(user_id: UUID, code: str) -> str:
    return hash_of(f"{user_id} {''.join(code.lower().split()).replace('-', '')}")
