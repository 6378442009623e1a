"""Kinds of work to begin a study with: amounts to type over, and how they move."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from catalogue.selectors import entries_named

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

_WEEK, _OFFICE = "shape-alibaba-2018", "shape-office-hours"


@dataclass(frozen=True, slots=True)
class Template:
    """One kind of work; amounts are an example's, to be typed over."""

    slug: str
    title: str
    about: str
    amounts: dict[str, float]
    growth_fraction: float
    shape: str | None = None
    more: dict[str, Any] = field(default_factory=dict)

    def workload(self) -> JSONDict:
        """Return the work as the plan takes it."""
        kinds = ("cores", "ram", "block", "object", "archive", "transfer", "gpus")
        growth = {f"{kind}_fraction_per_year": self.growth_fraction for kind in kinds}
        work: JSONDict = {"kind": "demand", **self.amounts, "growth": growth, **self.more}
        if self.shape is not None:
            values = entries_named([self.shape])[self.shape].values["values_ratio"]["value"]
            work["shape"] = {"kind": "hourly", "values_ratio": values}
        return work


TEMPLATES = (
    Template(
        "web-service",
        "Web service",
        "Requests that follow the day, block and object storage, egress to users.",
        {
            "busy_cores_count": 200,
            "ram_gib": 1200,
            "block_tb": 30,
            "object_tb": 100,
            "egress_tb_per_month": 30,
        },
        0.3,
        _WEEK,
    ),
    Template(
        "database",
        "Database",
        "Much memory and fast block storage, little egress.",
        {"busy_cores_count": 64, "ram_gib": 2048, "block_tb": 60, "egress_tb_per_month": 1},
        0.2,
        _OFFICE,
    ),
    Template(
        "data-lake",
        "Data lake",
        "Petabytes of objects, and jobs over them.",
        {"busy_cores_count": 200, "ram_gib": 1600, "object_tb": 2000, "egress_tb_per_month": 10},
        0.35,
        _WEEK,
    ),
    Template(
        "gpu-inference",
        "GPU inference",
        "GPUs that answer requests, with models kept on block storage.",
        {
            "busy_cores_count": 100,
            "ram_gib": 1000,
            "block_tb": 20,
            "gpu_peak_count": 16,
            "gpu_mean_count": 8,
            "egress_tb_per_month": 5,
        },
        0.5,
        _WEEK,
        more={"gpu": "NVIDIA H200 SXM5 141 GB"},
    ),
    Template(
        "llm-serving",
        "LLM serving",
        "Users of a language model within limits of latency: GPUs of any kind that serves them, "
        "or an API.",
        {"busy_cores_count": 40, "ram_gib": 320, "block_tb": 10, "egress_tb_per_month": 2},
        0.5,
        more={
            "streams": [
                {
                    "name": "Chat",
                    "model": "Llama-3.1-70B",
                    "users_count": 2000,
                    "precisions": ["fp8"],
                }
            ]
        },
    ),
    Template(
        "rag-embeddings",
        "RAG and embeddings",
        "Long prompts with short answers, vectors in memory and documents as objects.",
        {
            "busy_cores_count": 80,
            "ram_gib": 1500,
            "block_tb": 20,
            "object_tb": 50,
            "egress_tb_per_month": 2,
        },
        0.5,
        more={
            "streams": [
                {
                    "name": "Answers",
                    "model": "Llama-3.1-70B",
                    "users_count": 1000,
                    "precisions": ["fp8"],
                    "prompt_tokens": 6000,
                    "output_tokens": 300,
                    "ttft_ms": 2000,
                    "tpot_ms": 60,
                },
                {
                    "name": "Embeddings",
                    "model": "Qwen3-8B",
                    "users_count": 200,
                    "precisions": ["fp8"],
                    "requests_per_user_h": 360,
                    "prompt_tokens": 512,
                    "output_tokens": 1,
                    "ttft_ms": 2000,
                    "tpot_ms": 100,
                },
            ]
        },
    ),
    Template(
        "fine-tuning",
        "Fine-tuning and training",
        "Models tuned and trained by a deadline: GPUs of any kind, own, rented or on spot.",
        {"busy_cores_count": 40, "ram_gib": 320, "block_tb": 100, "object_tb": 200},
        0.5,
        more={
            "trainings": [
                {
                    "name": "Fine-tuning",
                    "model": "Llama-3.1-70B",
                    "learns": "lora",
                    "train_tokens": 2e9,
                    "deadline_h": 24,
                    "runs_per_month": 8,
                },
                {
                    "name": "Training",
                    "model": "Llama-3.1-8B",
                    "train_tokens": 200e9,
                    "deadline_h": 240,
                    "runs_per_month": 1,
                },
            ]
        },
    ),
    Template(
        "research-cluster",
        "Research cluster",
        "Jobs that keep the cores busy day and night.",
        {"busy_cores_count": 800, "ram_gib": 4000, "block_tb": 100, "object_tb": 500},
        0.1,
    ),
    Template(
        "backup-archive",
        "Backup and archive",
        "Data that is written once and seldom read.",
        {
            "busy_cores_count": 16,
            "ram_gib": 64,
            "object_tb": 100,
            "archive_tb": 1000,
            "archive_read_tb_per_month": 5,
            "egress_tb_per_month": 1,
        },
        0.3,
    ),
)
