"""What a design can be proposed as: the one list, for the API and for the pages."""

from __future__ import annotations

from dataclasses import dataclass

from capmodels.providers import PROVIDERS

_REST = "beside own servers for the rest"


@dataclass(frozen=True, slots=True)
class Offered:
    """How an option is offered, and what its design is called where that is another name."""

    title: str
    about: str
    rented: bool = False
    design: str = ""

    @property
    def design_title(self) -> str:
        """What the design is called that is proposed."""
        return self.design or self.title


OPTIONS = {
    **{
        name: Offered(provider.title, "Instances, storage, egress, support", rented=True)
        for name, provider in PROVIDERS.items()
    },
    "api": Offered(
        "API per token",
        "Language models by API, priced by the token, beside the first provider for the rest",
    ),
    "gpu_cloud": Offered(
        "GPU cloud",
        "GPUs of CoreWeave, Lambda, Nebius or RunPod, beside the first provider for the rest",
    ),
    "spot": Offered(
        "Training on spot",
        "Training jobs on GPUs of the first provider that may be taken back, the rest on demand",
    ),
    "owned": Offered("Own servers in colocation", "Hardware, space, power, transit, spares, staff"),
    "coded": Offered(
        "Own storage cluster",
        f"Data erasure-coded over nodes, {_REST}",
        design="Own servers, erasure-coded storage",
    ),
    "shelves": Offered(
        "Own RAID-6 shelves",
        f"Data on shelves of hard disks and a copy elsewhere, {_REST}",
        design="Own servers, RAID-6 shelves",
    ),
    "hybrid": Offered(
        "Own base, rented peaks", "Own servers for the base, the first provider for the rest"
    ),
}
