"""Bills of AWS: Cost and Usage Reports, 2.0 (Data Exports) and the older ones; CSV or Parquet.

Columns by AWS's table dictionary for CUR 2.0. What a charge costs with its commitments spread over
their use follows the dictionary's own columns of effective cost, by the type of the line.
"""

from __future__ import annotations

from capmodels.imports.bill_source import BillSource

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
_CATEGORY = " ".join(
    f"WHEN regexp_matches({{lineitemproductcode}}, '^({codes})$') THEN '{name}'"
    for name, codes in _CATEGORIES.items()
)
_PLAN, _RESERVED = "{savingsplansavingsplanarn}", "{reservationreservationarn}"
_UNUSED_PLAN = "{#savingsplantotalcommitmenttodate} - {#savingsplanusedcommitment}"
_UNUSED_RESERVED = (
    "{#reservationunusedamortizedupfrontfeeforbillingperiod} + {#reservationunusedrecurringfee}"
)
_USED = "'Usage', 'SavingsPlanCoveredUsage', 'DiscountedUsage'"
_SAMPLE = b"""bill_billing_period_start_date,line_item_line_item_type,line_item_product_code,\
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

SOURCE = BillSource(
    id="aws_cur",
    title="AWS cost and usage report",
    needed=("lineitemlineitemtype", "lineitemunblendedcost", "lineitemproductcode",
            "billbillingperiodstartdate"),
    months=("billbillingperiodstartdate",),
    period=("billbillingperiodstartdate", "billbillingperiodenddate"),
    days=("lineitemusagestartdate", "lineitemusageenddate"),
    tags=("resourcetags", "resourceTags/", "resource_tags_user_"),
    version=lambda columns: "2.0" if "line_item_line_item_type" in columns else "legacy",
    charge={
        "category": (
            "CASE {lineitemlineitemtype} WHEN 'Tax' THEN 'tax' WHEN 'Credit' THEN 'credit' "
            "WHEN 'Refund' THEN 'refund' WHEN 'Fee' THEN 'purchase' "
            "WHEN 'SavingsPlanUpfrontFee' THEN 'purchase' "
            "WHEN 'SavingsPlanNegation' THEN 'purchase' ELSE 'usage' END"
        ),
        # A covered line and its negation cancel each other in the invoice.
        "billed": "{#lineitemunblendedcost}",
        "effective": (
            "CASE {lineitemlineitemtype} WHEN 'SavingsPlanCoveredUsage' "
            "THEN {#savingsplansavingsplaneffectivecost} "
            f"WHEN 'SavingsPlanRecurringFee' THEN {_UNUSED_PLAN} "
            "WHEN 'SavingsPlanNegation' THEN 0 WHEN 'SavingsPlanUpfrontFee' THEN 0 "
            "WHEN 'DiscountedUsage' THEN {#reservationeffectivecost} "
            f"WHEN 'RIFee' THEN {_UNUSED_RESERVED} "
            f"WHEN 'Fee' THEN CASE WHEN COALESCE({_RESERVED}, '') <> '' THEN 0 "
            "ELSE {#lineitemunblendedcost} END ELSE {#lineitemunblendedcost} END"
        ),
        "list": (
            "CASE WHEN {lineitemlineitemtype} IN "
            "('SavingsPlanNegation', 'SavingsPlanRecurringFee', 'RIFee') THEN 0 "
            f"WHEN {{lineitemlineitemtype}} IN ({_USED}) THEN {{#pricingpublicondemandcost}} "
            "ELSE {#lineitemunblendedcost} END"
        ),
        "quantity": (
            f"CASE WHEN {{lineitemlineitemtype}} IN ({_USED}) THEN {{#lineitemusageamount}} "
            "ELSE 0 END"
        ),
        "unit": "{pricingunit}",
        "currency": "{lineitemcurrencycode}",
        "provider": "'AWS'",
        "service_category": f"CASE {_CATEGORY} ELSE '' END",
        "service": "{lineitemproductcode}",
        "description": "{lineitemlineitemdescription}",
        "meter": "{lineitemusagetype}",
        "instance_type": "{productinstancetype}",
        "region": "{productregioncode|productregion}",
        "pricing": "{pricingterm}",
        "commitment_id": f"COALESCE(NULLIF({_PLAN}, ''), NULLIF({_RESERVED}, ''))",
        "commitment_type": (
            f"CASE WHEN COALESCE({_PLAN}, '') <> '' THEN 'Savings Plan' "
            f"WHEN COALESCE({_RESERVED}, '') <> '' THEN 'Reserved instance' END"
        ),
        "commitment_use": (
            "CASE WHEN {lineitemlineitemtype} IN ('SavingsPlanCoveredUsage', 'DiscountedUsage') "
            "THEN 'Used' WHEN {lineitemlineitemtype} IN ('SavingsPlanRecurringFee', 'RIFee') "
            "THEN 'Unused' END"
        ),
        "commitment_ends_on": (
            "SUBSTR(COALESCE(NULLIF({savingsplanendtime}, ''), "
            "NULLIF({reservationendtime}, '')), 1, 10)"
        ),
    },
    sample=_SAMPLE,
)  # fmt: skip
IMPORTER = SOURCE.importer()
