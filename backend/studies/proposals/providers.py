"""The providers that a design may be rented of, and the entries that it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Provider:
    """The entries that a provider's design is made of."""

    title: str
    region: str
    # Rented where they are priced; where none of them is, the older ones that are.
    instances: tuple[str, ...]
    older_instances: tuple[str, ...]
    gpu_instances: tuple[str, ...]
    commitments: Mapping[int, str]
    block: str
    objects: str
    archive: str
    egress: str
    cross_zone: str
    support: str

    @property
    def slugs(self) -> tuple[str, ...]:
        """All entries that may be looked up."""
        stored = (self.block, self.objects, self.archive)
        own = (*stored, self.egress, self.cross_zone, self.support)
        rented = (*self.instances, *self.older_instances, *self.gpu_instances)
        return (*rented, *self.commitments.values(), *own)


PROVIDERS = {
    "aws": Provider(
        title="AWS",
        region="us-east-1",
        instances=("aws-m7a-8xlarge", "aws-c7a-8xlarge", "aws-r7a-8xlarge"),
        older_instances=("aws-m7i-8xlarge",),
        gpu_instances=("aws-p5en-48xlarge", "aws-p5-48xlarge"),
        commitments={12: "aws-reserved-1y-no-upfront", 36: "aws-reserved-3y-no-upfront"},
        block="aws-ebs-gp3",
        objects="aws-s3-standard",
        archive="aws-s3-glacier-deep",
        egress="aws-egress-internet",
        cross_zone="aws-cross-zone",
        support="aws-support-business",
    ),
    "azure": Provider(
        title="Azure",
        region="eastus",
        instances=("azure-d32as-v6",),
        older_instances=("azure-d32as-v4", "azure-e32as-v4", "azure-d32s-v3"),
        gpu_instances=(),
        commitments={12: "azure-reserved-1y", 36: "azure-reserved-3y"},
        block="azure-premium-ssd-v2",
        objects="azure-blob-hot",
        archive="azure-blob-archive",
        egress="azure-egress-internet",
        cross_zone="azure-cross-zone",
        support="azure-support-prodirect",
    ),
    "gcp": Provider(
        title="Google Cloud",
        region="us-east1",
        instances=("gcp-c4d-standard-32",),
        older_instances=("gcp-n2d-standard-32", "gcp-n2-standard-32"),
        gpu_instances=(),
        commitments={12: "gcp-flexible-1y", 36: "gcp-flexible-3y"},
        block="gcp-hyperdisk-balanced",
        objects="gcp-gcs-standard",
        archive="gcp-gcs-archive",
        egress="gcp-egress-internet",
        cross_zone="gcp-cross-zone",
        support="gcp-support-enhanced",
    ),
}
