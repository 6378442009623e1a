"""Tells of break-evens that moved by more than somebody chose, and of prices that arrived."""

import django.db.models.deletion
from django.db import migrations, models

from common.rls import definer_function, workspace_rls

CROSSING = """
CREATE POLICY prices_crossing ON sharing_webhook FOR SELECT TO CURRENT_USER USING (true)
"""
UNTOLD = """
    SELECT w.id FROM accounts_workspace w
    WHERE (EXISTS (SELECT FROM sharing_webhook h
                   WHERE h.workspace_id = w.id AND h.events ? 'prices.arrived')
           OR EXISTS (SELECT FROM accounts_member m
                      WHERE m.workspace_id = w.id AND m.mailed_events ? 'prices.arrived'))
      AND NOT EXISTS (SELECT FROM sharing_pricestold t
                      WHERE t.workspace_id = w.id AND t.snapshot = p_snapshot)
    ORDER BY w.id LIMIT 100
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0013_break_even"), ("sharing", "0007_actuals")]

    operations = [
        migrations.AddField(
            "webhook", "break_even_months", models.FloatField(db_default=3.0, default=3.0)
        ),
        migrations.CreateModel(
            name="PricesTold",
            fields=[
                (
                    "workspace",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="accounts.workspace",
                    ),
                ),
                ("snapshot", models.CharField(max_length=100)),
            ],
            options={"abstract": False},
        ),
        workspace_rls("sharing_pricestold", crossing=True),
        migrations.RunSQL(CROSSING, "DROP POLICY prices_crossing ON sharing_webhook"),
        definer_function(
            "sharing_prices_untold", "p_snapshot text", "TABLE (workspace_id uuid)", UNTOLD
        ),
    ]
