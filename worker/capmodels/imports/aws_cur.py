"""Bills of AWS: Cost and Usage Reports, 2.0 (Data Exports) and the older ones; CSV or Parquet.

Columns by AWS's table dictionary for CUR 2.0. What a charge costs with its commitments spread over
their use follows the dictionary's own columns of effective cost, by the type of the line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capmodels.imports.baseline import bill_importer
from capmodels.imports.bill import bill_of
from capmodels.imports.charges import (
    AMOUNT,
    NO_TEXT,
    Columns,
    amount,
    tags,
    text,
    with_plain_numbers,
)
from capmodels.imports.periods import period_month
from capmodels.imports.table import identifier, renamed

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

_NEEDED = frozenset(
    {
        *("line_item_line_item_type", "line_item_unblended_cost", "line_item_product_code"),
        *("bill_billing_period_start_date",),
    }
)
_NUMBERS = (
    *("line_item_unblended_cost", "line_item_usage_amount", "pricing_public_on_demand_cost"),
    *("reservation_effective_cost", "savings_plan_savings_plan_effective_cost"),
)
_PERIOD = ("bill_billing_period_start_date", "bill_billing_period_end_date")
_DAYS = ("line_item_usage_start_date", "line_item_usage_end_date")
_TYPE = text("line_item_line_item_type")
_NOTHING = f"CAST(0 AS {AMOUNT})"
# The services' own codes stand for what FOCUS calls categories of services.
_CATEGORIES = {
    "Compute": "AmazonEC2|AWSLambda|AmazonECS|AmazonEKS|AWSComputeOptimizer|ElasticMapReduce",
    "Storage": "AmazonS3|AmazonEFS|AmazonFSx|AWSBackup|AmazonGlacier|AmazonS3GlacierDeepArchive",
    "Databases": (
        "AmazonRDS|AmazonDynamoDB|AmazonElastiCache|AmazonRedshift|AmazonDocDB|AmazonNeptune"
    ),
    "Networking": (
        "AmazonVPC|AWSELB|AmazonCloudFront|AmazonRoute53|AWSDirectConnect|AmazonApiGateway"
    ),
}


def fits(columns: frozenset[str]) -> bool:
    """Whether a table has the columns that every report has."""
    return frozenset(map(_snake, columns)) >= _NEEDED


def version(columns: frozenset[str]) -> str:
    """The version of the table."""
    return "2.0" if columns >= _NEEDED else "legacy"


def _snake(name: str) -> str:
    """A column's name in 2.0: of lineItem/UnblendedCost line_item_unblended_cost."""
    group, _, column = name.rpartition("/")
    words = f"{group}/{column[:1].lower()}{column[1:]}" if group else name
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", words).replace("/", "_")


def _tags(table: Table) -> str:
    """SQL of the tags of a charge: a column of 2.0, a column each before."""
    each = {
        name: name.removeprefix(_TAGS).partition(":")[2] or name.removeprefix(_TAGS)
        for name in table.columns
        if name.startswith(_TAGS)
    }
    if not each:
        return tags(table, "resource_tags")
    pairs = ", ".join(
        "'" + key.replace("'", "''") + f"', {identifier(name)}" for name, key in each.items()
    )
    return f"CAST(json_merge_patch('{{}}', json_object({pairs})) AS VARCHAR)"


_TAGS = "resourceTags/"


def columns_of(table: Table) -> Columns:
    """Where each column of a charge comes from, among those that are there."""
    there = table.columns

    def words(name: str) -> str:
        return text(name) if name in there else NO_TEXT

    def number(name: str) -> str:
        return amount(name) if name in there else _NOTHING

    unblended = amount("line_item_unblended_cost")
    reserved, planned = (
        words("reservation_reservation_a_r_n"),
        words("savings_plan_savings_plan_a_r_n"),
    )
    unused_reservation = (
        f"{number('reservation_unused_amortized_upfront_fee_for_billing_period')} + "
        f"{number('reservation_unused_recurring_fee')}"
    )
    unused_plan = (
        f"{number('savings_plan_total_commitment_to_date')} - "
        f"{number('savings_plan_used_commitment')}"
    )
    category = " ".join(
        f"WHEN regexp_matches({text('line_item_product_code')}, '^({codes})$') THEN '{name}'"
        for name, codes in _CATEGORIES.items()
    )
    return Columns(
        month=period_month(table, *_PERIOD, _DAYS),
        category=(
            f"CASE {_TYPE} WHEN 'Tax' THEN 'tax' WHEN 'Credit' THEN 'credit' "
            "WHEN 'Refund' THEN 'refund' "
            "WHEN 'Fee' THEN 'purchase' WHEN 'SavingsPlanUpfrontFee' THEN 'purchase' "
            "WHEN 'SavingsPlanNegation' THEN 'purchase' ELSE 'usage' END"
        ),
        # A covered line and its negation cancel each other in the invoice.
        billed=unblended,
        effective=(
            f"CASE {_TYPE} WHEN 'SavingsPlanCoveredUsage' "
            f"THEN {number('savings_plan_savings_plan_effective_cost')} "
            f"WHEN 'SavingsPlanRecurringFee' THEN {unused_plan} "
            "WHEN 'SavingsPlanNegation' THEN 0 WHEN 'SavingsPlanUpfrontFee' THEN 0 "
            f"WHEN 'DiscountedUsage' THEN {number('reservation_effective_cost')} "
            f"WHEN 'RIFee' THEN {unused_reservation} "
            f"WHEN 'Fee' THEN CASE WHEN COALESCE({reserved}, '') <> '' THEN 0 ELSE {unblended} END "
            f"ELSE {unblended} END"
        ),
        list=(
            f"CASE WHEN {_TYPE} IN ('SavingsPlanNegation', 'SavingsPlanRecurringFee', 'RIFee') "
            "THEN 0 "
            f"WHEN {_TYPE} IN ('Usage', 'SavingsPlanCoveredUsage', 'DiscountedUsage') "
            f"THEN {number('pricing_public_on_demand_cost')} ELSE {unblended} END"
        ),
        quantity=(
            f"CASE WHEN {_TYPE} IN ('Usage', 'SavingsPlanCoveredUsage', 'DiscountedUsage') "
            f"THEN {number('line_item_usage_amount')} ELSE 0 END"
        ),
        unit=words("pricing_unit"),
        currency=words("line_item_currency_code"),
        provider="'AWS'",
        service_category=f"CASE {category} ELSE '' END",
        service=words("line_item_product_code"),
        description=words("line_item_line_item_description"),
        meter=words("line_item_usage_type"),
        instance_type=words("product_instance_type"),
        region=words("product_region_code" if "product_region_code" in there else "product_region"),
        pricing=words("pricing_term"),
        commitment_id=f"COALESCE(NULLIF({planned}, ''), NULLIF({reserved}, ''))",
        commitment_type=(
            f"CASE WHEN COALESCE({planned}, '') <> '' THEN 'Savings Plan' "
            f"WHEN COALESCE({reserved}, '') <> '' THEN 'Reserved instance' END"
        ),
        commitment_use=(
            f"CASE WHEN {_TYPE} IN ('SavingsPlanCoveredUsage', 'DiscountedUsage') THEN 'Used' "
            f"WHEN {_TYPE} IN ('SavingsPlanRecurringFee', 'RIFee') THEN 'Unused' END"
        ),
        commitment_ends_on=(
            f"SUBSTR(COALESCE(NULLIF({words('savings_plan_end_time')}, ''), "
            f"NULLIF({words('reservation_end_time')}, '')), 1, 10)"
        ),
        tags=_tags(table),
    )


def read(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the bill says."""
    if "/" in "".join(table.columns):
        kept = {name: name if name.startswith(_TAGS) else _snake(name) for name in table.types}
        table = renamed(table, kept)
    numbers = [name for name in _NUMBERS if name in table.columns]
    table = with_plain_numbers(table, numbers)
    return bill_of(table, columns_of(table), numbers=numbers, report=report)


def sample() -> bytes:
    """A bill of one month: usage on demand, under a plan, under a reservation, and their fees."""
    return b"""bill_billing_period_start_date,line_item_line_item_type,line_item_product_code,\
line_item_unblended_cost,line_item_currency_code,line_item_usage_type,line_item_usage_amount,\
line_item_line_item_description,pricing_unit,pricing_public_on_demand_cost,\
product_instance_type,product_region_code,savings_plan_savings_plan_a_r_n,\
savings_plan_savings_plan_effective_cost,savings_plan_total_commitment_to_date,\
savings_plan_used_commitment,savings_plan_end_time,reservation_reservation_a_r_n,\
reservation_effective_cost,reservation_unused_recurring_fee,reservation_end_time,resource_tags
2026-09-01T00:00:00.000Z,Usage,AmazonEC2,138.24,USD,BoxUsage:m5.xlarge,720,m5.xlarge Linux,Hrs,\
138.24,m5.xlarge,us-east-1,,,,,,,,,,"{""user_team"":""web""}"
2026-09-01T00:00:00.000Z,SavingsPlanCoveredUsage,AmazonEC2,138.24,USD,BoxUsage:m5.xlarge,720,\
m5.xlarge Linux,Hrs,138.24,m5.xlarge,us-east-1,arn:plan/1,83.52,,,2028-03-01T00:00:00.000Z,,,,,
2026-09-01T00:00:00.000Z,SavingsPlanNegation,AmazonEC2,-138.24,USD,BoxUsage:m5.xlarge,720,\
Negation,,0,,us-east-1,arn:plan/1,,,,2028-03-01T00:00:00.000Z,,,,,
2026-09-01T00:00:00.000Z,SavingsPlanRecurringFee,ComputeSavingsPlans,87.12,USD,ComputeSP,1,Plan,\
,0,,,arn:plan/1,,87.12,83.52,2028-03-01T00:00:00.000Z,,,,,
2026-09-01T00:00:00.000Z,DiscountedUsage,AmazonEC2,0,USD,BoxUsage:m5.xlarge,720,m5.xlarge Linux,\
Hrs,138.24,m5.xlarge,us-east-1,,,,,,arn:ri/7,79.2,,2027-06-30T23:59:59Z,
2026-09-01T00:00:00.000Z,RIFee,AmazonEC2,80,USD,HeavyUsage:m5.xlarge,720,Reservation,Hrs,0,\
m5.xlarge,us-east-1,,,,,,arn:ri/7,,0.8,2027-06-30T23:59:59Z,
2026-09-01T00:00:00.000Z,Usage,AmazonS3,23,USD,TimedStorage-ByteHrs,1000,S3 Standard,GB-Mo,23,,\
us-east-1,,,,,,,,,,
2026-09-01T00:00:00.000Z,Tax,AmazonEC2,12.5,USD,,,Tax,,,,,,,,,,,,,,
"""


IMPORTER = bill_importer(
    id="aws_cur",
    title="AWS cost and usage report",
    fits=fits,
    version=version,
    read=read,
    sample=sample,
)
