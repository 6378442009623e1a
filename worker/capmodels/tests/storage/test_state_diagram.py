"""A drive's power states as they are drawn."""

from __future__ import annotations

from capmodels.storage.array_start import PM1743
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, ULTRASTAR_15K73
from capmodels.storage.drive.state_diagram import device_line, state_diagram


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_goes_down_through_low_power_idle_and_up_to_idle_at_once() -> None:
    found = state_diagram(TRAVELSTAR_7K60, (2.0, None))
    assert [state.id for state in found.states] == ["active", "idle", "low_power_idle", "standby"]
    ways = [(change.start, change.end) for change in found.changes if change.cost]
    assert ways == [
        ("idle", "low_power_idle"),
        ("low_power_idle", "idle"),
        ("low_power_idle", "standby"),
        ("standby", "idle"),
    ]
    down = found.changes[1]
    assert plain(down.after or "") == "after 2.00 s"
    assert [change.after for change in found.changes if change is not down] == [None] * 4
    assert plain(found.says).startswith(f"Power states of {TRAVELSTAR_7K60.name}: Serving ")


def test_a_disk_without_low_states_and_flash_know_no_sleep() -> None:
    awake = ULTRASTAR_15K73.model_copy(update={"low_power_idle": None, "standby": None})
    assert [state.label for state in state_diagram(awake, (None, None)).states] == [
        "Serving",
        "Idle",
    ]
    flash = state_diagram(PM1743, (1.0, 1.0))
    assert [state.label for state in flash.states] == ["Writing", "Reading", "Idle"]
    ways = [(change.start, change.end, change.cost, change.after) for change in flash.changes]
    assert ways == [("write", "active", (), None), ("active", "idle", (), None)]


def test_a_device_is_told_by_what_counts_of_it() -> None:
    line = plain(device_line(PM1743))
    assert line.startswith("Reads in 69.7 µs, writes in 11.3 µs; 21.0 W at work, 6.00 W idle; $1")
    assert line.endswith("of rated writes.")
    unknown = PM1743.model_copy(update={"price_usd": 0, "endurance_tb": None})
    assert "price not known; rated writes not known." in device_line(unknown)
