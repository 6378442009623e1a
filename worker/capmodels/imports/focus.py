"""Bills in FOCUS 1.0 to 1.3 (FinOps Open Cost and Usage Specification), CSV or Parquet.

Columns by the specification's section "Columns"; what later versions added is taken where it is.
"""

from __future__ import annotations

from capmodels.imports.bill_source import BillSource, bare

# Who provides: 1.3 renames ProviderName; without either, whose product it is.
_PROVIDERS = tuple(
    f"NULLIF({{{name}}}, '')"
    for name in ("providername", "serviceprovidername", "hostprovidername", "publishername")
)
# Machine types: 1.2's details by SKU (JSON), and those of Azure ("FOCUS cost and usage details
# schema").
_IN_DETAILS = tuple(
    f"CASE WHEN json_valid({{@{name}}}) THEN json_extract_string({{@{name}}}, '$.{key}') END"
    for name, key in (("skupricedetails", "InstanceType"), ("xskudetails", "ServiceType"))
)
# What each version added, the newest first.
_SINCE = {
    "1.3": frozenset(("serviceprovidername", "hostprovidername", "allocatedmethodid")),
    "1.2": frozenset(("invoiceid", "pricingcurrency", "billingaccounttype", "subaccounttype")),
    "1.1": frozenset(
        ("skumeter", "skupricedetails", "commitmentdiscountquantity", "servicesubcategory")
    ),
}


def _version(columns: frozenset[str]) -> str:
    """Which version of the specification the columns are of."""
    there = {bare(name) for name in columns}
    return next((version for version, names in _SINCE.items() if there & names), "1.0")


_SAMPLE = b"""\
BillingCurrency,BillingPeriodStart,BilledCost,EffectiveCost,ListCost,ChargeCategory,ChargeClass,\
ChargeDescription,PricingQuantity,PricingUnit,ProviderName,ServiceCategory,ServiceName,RegionId,\
CommitmentDiscountId,CommitmentDiscountType,CommitmentDiscountStatus,Tags
USD,2026-09-01 00:00:00,138.24,138.24,138.24,Usage,NULL,\
$0.192 per On Demand Linux m5.xlarge Instance Hour,720,Hours,AWS,Compute,\
Amazon Elastic Compute Cloud,us-east-1,NULL,NULL,NULL,"{""team"": ""web""}"
USD,2026-09-01 00:00:00,0,83.52,138.24,Usage,NULL,\
$0.192 per On Demand Linux m5.xlarge Instance Hour,720,Hours,AWS,Compute,\
Amazon Elastic Compute Cloud,us-east-1,sp-1,Savings Plan,Used,"{""team"": ""data""}"
USD,2026-09-01 00:00:00,0,3.6,0,Usage,NULL,Unused savings plan,1,Hours,AWS,Compute,\
Amazon Elastic Compute Cloud,us-east-1,sp-1,Savings Plan,Unused,NULL
USD,2026-09-01 00:00:00,87.12,0,87.12,Purchase,NULL,"Savings plan, no upfront",1,Month,AWS,\
Compute,Amazon Elastic Compute Cloud,us-east-1,sp-1,Savings Plan,NULL,NULL
USD,2026-09-01 00:00:00,23,23,23,Usage,NULL,$0.023 per GB - first 50 TB / month of storage used,\
1000,GB-Months,AWS,Storage,Amazon Simple Storage Service,us-east-1,NULL,NULL,NULL,NULL
USD,2026-09-01 00:00:00,12.5,12.5,12.5,Tax,NULL,Sales tax,1,Each,AWS,Other,Tax,us-east-1,NULL,\
NULL,NULL,NULL
USD,2026-09-01 00:00:00,-5,-5,-5,Credit,NULL,Promotional credit,1,Each,AWS,Other,Credit,\
us-east-1,NULL,NULL,NULL,NULL
USD,2026-09-01 00:00:00,-1.25,-1.25,-1.25,Usage,Correction,\
$0.192 per On Demand Linux m5.xlarge Instance Hour,-6.5,Hours,AWS,Compute,\
Amazon Elastic Compute Cloud,us-east-1,NULL,NULL,NULL,NULL
"""

SOURCE = BillSource(
    id="focus",
    title="Cloud bill in FOCUS",
    needed=("billedcost", "effectivecost", "billingperiodstart", "chargecategory",
            "billingcurrency"),
    months=("billingperiodstart",),
    period=("billingperiodstart", "billingperiodend"),
    days=("chargeperiodstart", "chargeperiodend"),
    tags=("tags",),
    version=_version,
    charge={
        # A correction of an earlier bill is told apart, whatever was corrected.
        "category": (
            "CASE WHEN {chargeclass} = 'Correction' THEN 'refund' ELSE LOWER({chargecategory}) END"
        ),
        "billed": "{#billedcost}",
        "effective": "{#effectivecost}",
        "list": "{#listcost|effectivecost}",
        "quantity": "{#pricingquantity|consumedquantity}",
        "unit": "{pricingunit|consumedunit}",
        "currency": "UPPER(TRIM({billingcurrency}))",
        "provider": f"COALESCE({', '.join(_PROVIDERS)})",
        "service_category": "{servicecategory}",
        "service": "{servicename}",
        "description": "{chargedescription}",
        "meter": "concat_ws(' ', {skumeter}, {xskumetersubcategory}, {xskumetername})",
        "instance_type": f"COALESCE({', '.join(_IN_DETAILS)})",
        "region": "{regionid}",
        "pricing": "{pricingcategory}",
        "commitment_id": "{commitmentdiscountid}",
        "commitment_type": "{commitmentdiscounttype}",
        "commitment_use": "{commitmentdiscountstatus}",
        # The end of the period that the purchase was charged for.
        "commitment_ends_on": (
            "CASE WHEN {chargecategory} = 'Purchase' AND {chargefrequency} = 'One-Time' "
            "THEN SUBSTR({chargeperiodend}, 1, 10) END"
        ),
    },
    sample=_SAMPLE,
)  # fmt: skip
IMPORTER = SOURCE.importer()
