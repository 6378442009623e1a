"""Amazon Web Services."""

from __future__ import annotations

from capmodels.providers import Coefficients, PriceList, Provider, Uptime

# AWS, "Getting price list files manually".
_HOST = "https://pricing.us-east-1.amazonaws.com"
_EC2 = f"{_HOST}/offers/v1.0/aws/AmazonEC2/current"

PROVIDER = Provider(
    id="aws",
    order=1,
    title="AWS",
    on_bills="AWS",
    named=r"aws|amazon",
    terraform="aws",
    services=r"\b(aws|amazon)\b",
    types=r"\.",
    region="us-east-1",
    instances=(
        "aws-m7a-8xlarge",
        "aws-c7a-8xlarge",
        "aws-r7a-8xlarge",
        "aws-m7a-large",
        "aws-m7a-2xlarge",
        "aws-m7a-24xlarge",
        "aws-m7a-48xlarge",
        "aws-c7a-4xlarge",
        "aws-c7a-48xlarge",
        "aws-r7a-4xlarge",
        "aws-r7a-48xlarge",
        "aws-m8a-2xlarge",
        "aws-m8a-8xlarge",
        "aws-m8i-2xlarge",
        "aws-m8i-8xlarge",
        "aws-c8i-4xlarge",
        "aws-c8i-8xlarge",
        "aws-r8i-4xlarge",
        "aws-r8i-8xlarge",
    ),
    arm_instances=(
        "aws-m8g-large",
        "aws-m8g-2xlarge",
        "aws-m8g-8xlarge",
        "aws-c8g-4xlarge",
        "aws-c8g-8xlarge",
        "aws-r8g-4xlarge",
        "aws-r8g-8xlarge",
        "aws-x8g-8xlarge",
    ),
    older_instances=("aws-m7i-8xlarge",),
    gpu_instances=(
        "aws-p5en-48xlarge",
        "aws-p5-48xlarge",
        "aws-p6-b200-48xlarge",
        "aws-p4d-24xlarge",
        "aws-g6e-48xlarge",
        "aws-g6-48xlarge",
        "aws-g5-48xlarge",
        "aws-g4dn-12xlarge",
    ),
    commitments={12: "aws-reserved-1y-no-upfront", 36: "aws-reserved-3y-no-upfront"},
    block="aws-ebs-gp3",
    objects="aws-s3-standard",
    archive="aws-s3-glacier-deep",
    egress="aws-egress-internet",
    cross_zone="aws-cross-zone",
    support="aws-support-business",
    # EPYC 5th generation (3.68 and 8.96 W) is left out: it is four times its neighbours and reads
    # like a slip of the table.
    coefficients=Coefficients(
        mean=(0.74, 3.50), low=(0.474, 1.693), high=(2.212, 8.631), pue=1.135
    ),
    uptime=Uptime(
        one_zone_fraction=0.995,
        zones_fraction=0.9999,
        source="Amazon Compute Service Level Agreement: instance level, region level",
        as_of="2022-05-05",
        url="https://aws.amazon.com/compute/sla/historical/",
    ),
    lists=(
        PriceList(
            id="aws",
            title="Price list of AWS",
            label="AWS",
            address=f"{_EC2}/{{region}}/index.json",
            by_region=True,
            regions_address=f"{_EC2}/region_index.json",
        ),
        # AWS, "Reading the service price list file for a Savings Plan"; its index of regions.
        PriceList(
            id="aws_savings",
            title="Savings plans of AWS",
            label="AWS savings plans",
            address=f"{_HOST}/savingsPlan/v1.0/aws/AWSComputeSavingsPlan/current/region_index.json",
            by_region=True,
        ),
    ),
    importers=("capmodels.imports.aws_prices",),
    # Its Business plan is replaced for new terms (AWS Support tier strategy guide 2026).
    support_until="2026-12-31",
)
