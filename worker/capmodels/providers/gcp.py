"""Google Cloud."""

from __future__ import annotations

from capmodels.providers import Coefficients, PriceList, Provider, Uptime

PROVIDER = Provider(
    id="gcp",
    order=3,
    title="Google Cloud",
    on_bills="GCP",
    named=r"google|gcp",
    terraform="google",
    services=r"\b(google|compute engine|bigquery|cloud (storage|sql|run|spanner)|vertex ai)\b",
    types=r"^[a-z]\w*-[a-z]+",
    region="us-east1",
    instances=(
        "gcp-c4d-standard-32",
        "gcp-c4d-standard-8",
        "gcp-c4d-standard-96",
        "gcp-c4d-standard-384",
        "gcp-c4d-highcpu-32",
        "gcp-c4d-highmem-8",
        "gcp-c4d-highmem-32",
        "gcp-c4d-highmem-96",
    ),
    arm_instances=("gcp-c4a-standard-8", "gcp-c4a-standard-32", "gcp-c4a-highmem-32"),
    gpu_instances=("gcp-a3-highgpu-8g",),
    older_instances=("gcp-n2d-standard-32", "gcp-n2-standard-32"),
    commitments={12: "gcp-flexible-1y", 36: "gcp-flexible-3y"},
    block="gcp-hyperdisk-balanced",
    objects="gcp-gcs-standard",
    archive="gcp-gcs-archive",
    egress="gcp-egress-internet",
    cross_zone="gcp-cross-zone",
    support="gcp-support-enhanced",
    coefficients=Coefficients(mean=(0.71, 4.26), low=(0.474, 1.575), high=(1.036, 4.382), pue=1.1),
    uptime=Uptime(
        one_zone_fraction=0.999,
        zones_fraction=0.9999,
        source="Compute Engine Service Level Agreement: a single instance, several zones",
        as_of="2026-11-29",
        url="https://cloud.google.com/compute/sla",
    ),
    lists=(
        # Google, "Cloud Billing Catalog API", services.skus.list (v1): Compute Engine.
        PriceList(
            id="gcp",
            title="Price list of Google Cloud",
            label="Google Cloud (every region)",
            address="https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus",
            by_region=False,
        ),
    ),
    importers=("capmodels.imports.gcp_skus",),
)
