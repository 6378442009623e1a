"""Logs of requests to language models: read, put in order, told, and kept as columns."""

from __future__ import annotations

import json

import numpy as np
import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.formats.ingest import Ingested, ingest
from capmodels.formats.trace_columns import stored_in_memory, unpack_prompts
from capmodels.formats.trace_told import trace_told
from capmodels.formats.trace_types import InferenceTrace


def read(text: str) -> tuple[Ingested, InferenceTrace]:
    pieces: list[bytes] = []
    found = ingest([text.encode()], pieces.append, "log")
    return found, unpack_prompts(pieces)


def test_rows_are_put_in_order_and_times_begin_at_0() -> None:
    found, trace = read("arrival,prompt_tokens,output_tokens\n30,300,3\n10,100,1\n20,200,2\n")
    assert (found.kind, found.format, found.rows_count) == ("inference", "llm_csv", 3)
    assert trace.time_s.tolist() == [0.0, 10.0, 20.0]
    assert trace.prompt_tokens.tolist() == [100, 200, 300]
    assert trace.output_tokens.tolist() == [1, 2, 3]


def test_milliseconds_dates_and_seconds_are_each_read_as_such() -> None:
    _, mooncake = read(
        '{"timestamp": 0, "input_length": 5, "output_length": 1, "hash_ids": [1]}\n'
        '{"timestamp": 2500, "input_length": 5, "output_length": 1, "hash_ids": [2]}\n'
    )
    assert mooncake.time_s.tolist() == [0.0, 2.5]
    _, azure = read(
        "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:00:00.5,5,1\n"
        "2023-11-16 18:00:02,5,1\n"
    )
    assert azure.time_s.tolist() == [0.0, 1.5]
    _, own = read("ms,input_tokens,output_tokens\n0,5,1\n1500,5,1\n")
    assert own.time_s.tolist() == [0.0, 1.5]


def test_usage_is_found_wherever_an_answer_holds_it() -> None:
    lines = [
        {
            "timestamp": 5,
            "response": {"body": {"usage": {"prompt_tokens": 7, "completion_tokens": 2}}},
        },
        {"arrival_time": 9, "num_prompt_tokens": 8, "num_generation_tokens": 3, "finished": True},
    ]
    found, trace = read("\n".join(map(json.dumps, lines)))
    assert found.format == "llm_json"
    assert trace.time_s.tolist() == [0.0, 4.0]
    assert trace.prompt_tokens.tolist() == [7, 8]


def test_prefixes_that_were_seen_are_counted() -> None:
    _, trace = read(
        '{"timestamp": 0, "input_length": 2000, "output_length": 1, "hash_ids": [1, 2, 3, 4]}\n'
        '{"timestamp": 1, "input_length": 1200, "output_length": 1, "hash_ids": [1, 2, 9]}\n'
        '{"timestamp": 2, "input_length": 900, "output_length": 1, "hash_ids": [9, 2]}\n'
    )
    assert trace.seen_tokens.tolist() == [0, 1024, 900]


def test_lines_that_cannot_be_read_are_faults_and_the_rest_stands() -> None:
    found, trace = read("time,prompt,output\n1,10,1\nsoon,10,1\n2,10\n3,-4,1\n4,10,1\n")
    assert len(trace.time_s) == 2
    assert [fault.line for fault in found.faults] == [3, 4, 5]
    with pytest.raises(FileRefused, match="Nothing in this file"):
        read("time,prompt,output\nsoon,10,1\n")


def test_a_log_says_the_stream_that_asks_as_much() -> None:
    rows = [(at * 1.0, 100, 20) for at in range(3600)] + [
        (3600 + at * 4.0, 300, 20) for at in range(900)
    ]
    found, _ = read("time,prompt,output\n" + "\n".join(",".join(map(str, row)) for row in rows))
    stream = found.summary["stream"]
    assert stream["users_count"] * stream["requests_per_user_h"] == pytest.approx(3600)
    assert stream["mean_fraction"] == pytest.approx(4500 / 7196, rel=1e-3)
    assert stream["prompt_tokens"] == pytest.approx((3600 * 100 + 900 * 300) / 4500)
    told = trace_told("inference", found.summary, found.charts)
    assert told.headline.startswith("4,500 requests to language models in 2\u00a0h")
    assert [figure.name for figure in told.figures] == ["Requests over time", "Lengths"]


def test_columns_come_back_as_they_were() -> None:
    count = 70_000
    one, two, three = (np.arange(count, dtype=np.int32) + np.int32(at) for at in range(3))
    trace = InferenceTrace(np.arange(count, dtype=np.float64), one, two, three)
    again = unpack_prompts(stored_in_memory(trace).pieces())
    for name in ("time_s", "prompt_tokens", "output_tokens", "seen_tokens"):
        assert (getattr(again, name) == getattr(trace, name)).all()
