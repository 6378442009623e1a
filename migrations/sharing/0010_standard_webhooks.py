"""Writes secrets of webhooks as Standard Webhooks does: whsec_ and base64 of what they were."""

from django.db import migrations

_FORWARD = """
ALTER TABLE sharing_webhook NO FORCE ROW LEVEL SECURITY;
UPDATE sharing_webhook SET secret = 'whsec_' || encode(convert_to(secret, 'UTF8'), 'base64')
WHERE secret NOT LIKE 'whsec\\_%';
ALTER TABLE sharing_webhook FORCE ROW LEVEL SECURITY;
"""
_BACKWARD = """
ALTER TABLE sharing_webhook NO FORCE ROW LEVEL SECURITY;
UPDATE sharing_webhook SET secret = encode(decode(substr(secret, 7), 'base64'), 'escape')
WHERE secret LIKE 'whsec\\_%';
ALTER TABLE sharing_webhook FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [("sharing", "0009_approval_requests")]

    operations = [migrations.RunSQL(_FORWARD, _BACKWARD)]
