"""Ask a model as its users do: a document in, a result or faults out."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError


def ask(model_id: str, **params: Any) -> Any:
    """Return a model's result."""
    return spec.evaluate(registry.get_model(model_id), params)


def faults(model_id: str, document: Any) -> dict[str, str]:
    """Return the code of every fault of a document by its pointer."""
    with pytest.raises(ParamsError) as caught:
        spec.validate(registry.get_model(model_id), document)
    found = caught.value.faults
    assert all(fault.message.endswith(".") for fault in found)
    by_pointer = {fault.pointer: fault.code for fault in found}
    assert len(by_pointer) == len(found)
    return by_pointer
