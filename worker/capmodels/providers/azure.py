"""Microsoft Azure."""

from __future__ import annotations

from capmodels.providers import Coefficients, PriceList, Provider, Uptime

PROVIDER = Provider(
    id="azure",
    order=2,
    title="Azure",
    on_bills="Azure",
    named=r"azure|microsoft",
    terraform="azurerm",
    services=r"\b(azure|microsoft)\b",
    types=r"^(Standard|Basic)_",
    type_prefix="Standard_",
    region="eastus",
    instances=(
        "azure-d32as-v6",
        "azure-d2as-v6",
        "azure-d8as-v6",
        "azure-d96as-v6",
        "azure-d8als-v6",
        "azure-d32als-v6",
        "azure-e8as-v6",
        "azure-e32as-v6",
        "azure-e96as-v6",
        "azure-l32as-v4",
    ),
    arm_instances=("azure-d8ps-v6", "azure-d32ps-v6", "azure-e32ps-v6"),
    gpu_instances=("azure-nd96isr-h100-v5",),
    older_instances=("azure-d32as-v4", "azure-e32as-v4", "azure-d32s-v3"),
    commitments={12: "azure-reserved-1y", 36: "azure-reserved-3y"},
    block="azure-premium-ssd-v2",
    objects="azure-blob-hot",
    archive="azure-blob-archive",
    egress="azure-egress-internet",
    cross_zone="azure-cross-zone",
    support="azure-support-prodirect",
    coefficients=Coefficients(
        mean=(0.78, 3.76), low=(0.474, 1.693), high=(1.901, 6.013), pue=1.185
    ),
    uptime=Uptime(
        one_zone_fraction=0.999,
        zones_fraction=0.9999,
        source="SLA for Virtual Machines, as quoted: one on premium disks, two or more zones",
        as_of="2019-04-25",
        url="https://azure.microsoft.com/en-us/support/legal/sla/virtual-machines/",
    ),
    lists=(
        # Microsoft Learn, "Azure Retail Prices overview".
        PriceList(
            id="azure",
            title="Price list of Azure",
            label="Azure",
            address="https://prices.azure.com/api/retail/prices",
            by_region=True,
        ),
    ),
    importers=("capmodels.imports.azure_retail",),
)
