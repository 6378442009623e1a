"""Accelerators as their data sheets have them: memory, bandwidth, dense rates, links, power.

Rates are dense (vendors print twice as much with structured sparsity), link bandwidth is one
way and per accelerator (vendors print both ways). What is unknown is None, never 0.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from capmodels.forms import named
from capmodels.spec import Params, Quality, assumed, blank, preset
from capmodels.units import CountFromOne, Real, of_unit

TflopPerS = Annotated[Real, of_unit("TFLOP/s", gt=0, le=1e6)]
PositiveGib = Annotated[Real, of_unit("GiB", gt=0, le=1e5)]
PositiveW = Annotated[Real, of_unit("W", gt=0, le=1e5)]
TbPerS = Annotated[Real, of_unit("TB/s", gt=0, le=1e3)]
GbPerS = Annotated[Real, of_unit("GB/s", gt=0, le=1e5)]
Precision = Annotated[
    Literal["bf16", "fp8", "fp4", "int4"],
    Field(json_schema_extra=named(bf16="BF16", fp8="FP8", fp4="FP4", int4="INT4")),
]


class Accelerator(Params):
    """An accelerator: what it holds, reads, computes and draws."""

    name: str = Field(min_length=1, max_length=120, description="How it is called.")
    memory_gib: PositiveGib = Field(description="Memory as its driver shows it.")
    bandwidth_tb_per_s: TbPerS = Field(description="Memory bandwidth.")
    half_tflop_per_s: TflopPerS = Field(
        title="16 bit", description="Dense rate at BF16, or FP16 where it has no BF16."
    )
    fp8_tflop_per_s: TflopPerS | None = blank("Dense rate at FP8; it has none when left empty.")
    fp4_tflop_per_s: TflopPerS | None = blank("Dense rate at FP4; it has none when left empty.")
    link_gb_per_s: GbPerS = Field(description="To its neighbours, one way, per accelerator.")
    domain_count: CountFromOne = assumed(
        8, "Accelerators that these links join.", source="a server of eight"
    )
    tdp_w: PositiveW | None = blank("Thermal design power; unknown when left empty.", title="TDP")
    generation: str = preset("", "Whose measured efficiencies stand for it.", max_length=40)
    speed_known: bool = preset(True, "Whether serving or kernels of its kind were measured.")
    source: str = preset("", "Where its figures are from.", max_length=200)
    quality: Quality = preset("published", "How sure the figures are.")
    as_of: str = preset("", "Date of the source.", max_length=10)


_KIT = "NVIDIA AIConfigurator system files"
_IX = "SemiAnalysis InferenceX, table of accelerators"


def _of(  # noqa: PLR0913, PLR0917 -- a row of a table
    name: str,
    memory_gib: float,
    bandwidth_tb_per_s: float,
    half: float,
    fp8: float | None,
    fp4: float | None,
    link_gb_per_s: float,
    tdp_w: float | None,
    generation: str,
    source: str = "",
    domain_count: int = 8,
    as_of: str = "2026-08-01",
) -> Accelerator:
    recalled = not source
    return Accelerator(
        name=name,
        memory_gib=memory_gib,
        bandwidth_tb_per_s=bandwidth_tb_per_s,
        half_tflop_per_s=half,
        fp8_tflop_per_s=fp8,
        fp4_tflop_per_s=fp4,
        link_gb_per_s=link_gb_per_s,
        domain_count=domain_count,
        tdp_w=tdp_w,
        generation=generation,
        speed_known=generation not in {"gaudi", "tpu", "neuron"},
        source=source or f"Data sheet of {name}, from memory",
        quality="recalled" if recalled else "published",
        as_of="2026-11-28" if recalled else as_of,
    )


_AWS = "AWS Neuron documentation"
_TPU = "Google Cloud TPU documentation"

ACCELERATORS: dict[str, Accelerator] = {
    one.name: one
    for one in (
        _of("NVIDIA T4", 15, 0.32, 65, None, None, 16, 70, "turing"),
        _of("NVIDIA A10", 22.5, 0.6, 125, None, None, 32, 150, "ampere"),
        _of("NVIDIA A10G", 22.5, 0.6, 70, None, None, 32, 300, "ampere"),
        _of("NVIDIA A30", 24, 0.933, 165, None, None, 32, 165, "ampere", _KIT),
        _of("NVIDIA L4", 22.5, 0.3, 121, 242, None, 32, 72, "ada", _KIT),
        _of("NVIDIA L40", 45, 0.864, 181, 362, None, 32, 300, "ada"),
        _of("NVIDIA L40S", 45, 0.864, 362.05, 733, None, 32, 350, "ada", _KIT),
        _of("NVIDIA A100 PCIe 40 GB", 40, 1.555, 312, None, None, 32, 250, "ampere"),
        _of("NVIDIA A100 SXM 40 GB", 40, 1.555, 312, None, None, 300, 400, "ampere"),
        _of("NVIDIA A100 PCIe 80 GB", 80, 1.935, 312, None, None, 32, 300, "ampere"),
        _of("NVIDIA A100 SXM 80 GB", 80, 2.039, 312, None, None, 300, 400, "ampere", _KIT),
        _of("NVIDIA H100 PCIe", 80, 2.0, 756.5, 1513, None, 64, 350, "hopper", _KIT),
        _of("NVIDIA H100 NVL", 93.6, 3.9, 835, 1671, None, 300, 400, "hopper", domain_count=2),
        _of("NVIDIA H100 SXM", 80, 3.35, 989, 1979, None, 450, 700, "hopper", _KIT),
        _of("NVIDIA H200 NVL", 141, 4.8, 835, 1671, None, 450, 600, "hopper", domain_count=4),
        _of("NVIDIA H200 SXM", 141, 4.8, 989, 1979, None, 450, 700, "hopper", _KIT),
        _of("NVIDIA GH200 96 GB", 96, 4.0, 989, 1979, None, 450, 1000, "hopper", domain_count=1),
        _of("NVIDIA GH200 144 GB", 144, 4.9, 989, 1979, None, 450, 1000, "hopper", domain_count=1),
        _of("NVIDIA B200 SXM", 180, 7.7, 2250, 4500, 9000, 900, 1000, "blackwell", _KIT),
        _of("NVIDIA B300 SXM", 268, 7.75, 2250, 4500, 13500, 900, 1100, "blackwell", _KIT),
        _of("NVIDIA GB200", 186, 8.0, 2500, 5000, 10000, 900, 1200, "blackwell", _KIT, 72),
        _of("NVIDIA GB300", 278, 8.0, 2500, 5000, 15000, 900, 1400, "blackwell", _KIT, 72),
        _of("NVIDIA RTX PRO 6000", 95.6, 1.792, 468, 936, 1871, 64, 600, "blackwell-rtx", _KIT),
        _of("AMD MI210", 64, 1.638, 181, None, None, 100, 300, "cdna2"),
        _of("AMD MI250X", 128, 3.277, 383, None, None, 100, 560, "cdna2"),
        _of("AMD MI300X", 192, 5.3, 1307, 2615, None, 448, 750, "cdna3", _IX),
        _of("AMD MI325X", 256, 6.0, 1307, 2615, None, 448, 1000, "cdna3", _IX),
        _of("AMD MI350X", 288, 8.0, 2300, 4600, 9200, 576, 1000, "cdna4"),
        _of("AMD MI355X", 288, 8.0, 2516, 5033, 10066, 576, 1400, "cdna4", _IX),
        _of("Intel Gaudi 2", 96, 2.45, 432, 865, None, 300, 600, "gaudi"),
        _of("Intel Gaudi 3", 128, 3.7, 1835, 1835, None, 600, 900, "gaudi"),
        _of("Google TPU v5e", 16, 0.819, 197, None, None, 50, None, "tpu", _TPU, 256),
        _of("Google TPU v5p", 95, 2.765, 459, None, None, 600, None, "tpu", "", 256),
        _of("Google TPU v6e", 32, 1.638, 918, None, None, 100, None, "tpu", _TPU, 256),
        _of("AWS Trainium1", 32, 0.82, 190, 190, None, 96, None, "neuron", _AWS, 16),
        _of("AWS Trainium2", 96, 2.9, 667, 1299, None, 128, 500, "neuron", "", 16),
        _of("AWS Inferentia2", 32, 0.82, 190, 190, None, 24, None, "neuron", _AWS, 12),
    )
}
