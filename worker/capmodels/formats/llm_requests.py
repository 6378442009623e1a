"""Logs of requests to language models: arrival, tokens of the prompt and of the answer.

Tables with a line of names (Azure's, BurstGPT's, Vidur's, one's own) and JSON lines (Mooncake's,
answers of OpenAI's API and of vLLM, which speaks it). Which column is what is known by its name.
"""

from __future__ import annotations

import csv
import json
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.formats.chunks import FileRefused
from capmodels.formats.samples import lines_of, time_s, why
from capmodels.formats.trace_format import TraceFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Head

TOKENS_MOST = 100_000_000
_MS_PER_S = 1e3
_TIME = (
    *("arrival_s", "arrived_at", "arrival_time", "arrival", "timestamp", "created", "created_at"),
    *("start_time", "request_time", "time", "ts", "ms"),
)
_PROMPT = (
    *("prompt_tokens", "num_prompt_tokens", "context_tokens", "contexttokens", "request_tokens"),
    *("input_tokens", "input_length", "num_prefill_tokens", "prompt_len", "prompt_length"),
    *("input_len", "n_prompt_tokens", "prompt"),
)
_OUTPUT = (
    *("completion_tokens", "num_generation_tokens", "generated_tokens", "generatedtokens"),
    *("response_tokens", "output_tokens", "output_length", "num_decode_tokens", "output_len"),
    *("num_output_tokens", "n_generated_tokens", "output"),
)
# Of names that count in milliseconds.
_IN_MS = frozenset({"ms", "input_length"})


class Prompt(NamedTuple):
    """A request: when it arrived, its tokens, and those of its prompt that were seen before."""

    at_s: float
    prompt_tokens: int
    output_tokens: int
    seen_tokens: int = 0


class _Columns(NamedTuple):
    time: str
    prompt: str
    output: str

    @property
    def per_s(self) -> float:
        """What its times are divided by: Mooncake's count milliseconds."""
        return _MS_PER_S if {self.time, self.prompt} & _IN_MS else 1.0


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.strip().lower()).strip("_")


def _columns(names: Mapping[str, Any] | list[str]) -> _Columns | None:
    """The names that say arrival, prompt and answer; None where one of them is not there."""
    found = [
        next((one for one in known if one in names), None) for known in (_TIME, _PROMPT, _OUTPUT)
    ]
    time, prompt, output = found
    return (
        None if time is None or prompt is None or output is None else _Columns(time, prompt, output)
    )


def _prompt(columns: _Columns, row: Mapping[str, Any], seen: int = 0) -> Prompt:
    at_s = time_s(str(row[columns.time])) / columns.per_s
    prompt, output = (float(row[name]) for name in (columns.prompt, columns.output))
    if not (0 <= prompt <= TOKENS_MOST and 0 <= output <= TOKENS_MOST):
        raise ValueError(str(max(prompt, output)))
    return Prompt(at_s, math.ceil(prompt), math.ceil(output), seen)


def _table(source: Iterator[bytes], _name: str, report: Report) -> Iterator[Prompt]:
    """Requests of a table, one a line."""
    rows = csv.reader(lines_of(source))
    names = [_plain(cell.lstrip("\ufeff")) for cell in next(rows, [])]
    columns = _columns(names)
    if columns is None:
        raise FileRefused("The first line names no arrival, prompt tokens and output tokens.")
    for line, cells in enumerate(rows, start=2):
        if not cells:
            continue
        try:
            yield _prompt(columns, dict(zip(names, cells, strict=False)))
        except (ValueError, KeyError, OverflowError) as exc:
            report.add(line, why(IndexError() if isinstance(exc, KeyError) else exc))


def _flat(document: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a line and of what is in it: an answer stands in its own, or in ``response``."""
    found: dict[str, Any] = {}
    for name in ("response", "body", "usage", "metrics"):
        inner = document.get(name)
        if isinstance(inner, dict):
            found |= _flat(inner)
    return found | {
        _plain(name): value
        for name, value in document.items()
        if isinstance(value, int | float | str) and not isinstance(value, bool)
    }


class _Prefixes:
    """Blocks of prompts that were seen before (Mooncake names each block of 512 tokens)."""

    block_tokens = 512

    def __init__(self) -> None:
        self._seen: set[Any] = set()

    def of(self, document: Mapping[str, Any]) -> int:
        """Tokens of a prompt's beginning that were there before."""
        blocks = document.get("hash_ids")
        if not isinstance(blocks, list):
            return 0
        known = 0
        for block in blocks:
            if block not in self._seen:
                break
            known += 1
        self._seen.update(blocks)
        return known * self.block_tokens


def _json_lines(source: Iterator[bytes], _name: str, report: Report) -> Iterator[Prompt]:
    """Requests of a log that has a JSON document a line."""
    prefixes = _Prefixes()
    for line, text in enumerate(lines_of(source), start=1):
        if not text.strip():
            continue
        try:
            document = json.loads(text)
            row = _flat(document)
            columns = _columns(row)
            if columns is None:
                report.add(line, "It names no arrival, prompt tokens and output tokens.")
                continue
            yield _prompt(columns, row, min(prefixes.of(document), int(float(row[columns.prompt]))))
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as exc:
            said = exc if isinstance(exc, ValueError) else ValueError(text[:40])
            report.add(line, why(said))


def _is_table(head: Head) -> bool:
    cells = head.rows[0] if head.rows else []
    return "," in head.text[:2000] and _columns([_plain(cell) for cell in cells]) is not None


def _is_table_of(*names: str) -> Callable[[Head], bool]:
    def sniff(head: Head) -> bool:
        cells = {_plain(cell) for cell in (head.rows[0] if head.rows else [])}
        return _is_table(head) and cells >= set(names)

    return sniff


def _is_json_lines(head: Head) -> bool:
    for text in head.lines[:20]:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return False
        if isinstance(document, dict) and _columns(_flat(document)) is not None:
            return True
    return False


def _is_mooncake(head: Head) -> bool:
    return head.names_in_json("hash_ids") and _is_json_lines(head)


_FAMILY = "logs of requests to language models (JSON lines, CSV)"


def _format(
    name: str, title: str, sample: bytes, sniff: Callable[[Head], bool], read: Any, said: str
) -> TraceFormat:
    return TraceFormat(
        name=name, title=title, family=_FAMILY, kind="inference", content="prompts",
        sentence=said, sample=sample, sniff=sniff, read=read,
    )  # fmt: skip


FORMATS = (
    _format(
        "llm_azure",
        "Azure LLM requests",
        b"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.680590,374,44\n"
        b"2023-11-16 18:15:50.995169,396,109\n",
        _is_table_of("contexttokens", "generatedtokens"),
        _table,
        "Requests of Azure's language models: time, prompt and generated tokens.",
    ),
    _format(
        "llm_burstgpt",
        "BurstGPT",
        b"Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
        b"5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,Conversation log\n",
        _is_table_of("request_tokens", "response_tokens"),
        _table,
        "Requests of BurstGPT: seconds, tokens of request and response.",
    ),
    _format(
        "llm_mooncake",
        "Mooncake",
        b'{"timestamp": 0, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1, 2]}\n'
        b'{"timestamp": 3000, "input_length": 7322, "output_length": 490, "hash_ids": [0, 1, 3]}\n',
        _is_mooncake,
        _json_lines,
        "Requests of Mooncake: milliseconds, input and output length, blocks of the prompt.",
    ),
    _format(
        "llm_json",
        "Requests as JSON lines",
        b'{"created": 1764489600, "model": "m", "usage": {"prompt_tokens": 812, '
        b'"completion_tokens": 240}}\n'
        b'{"created": 1764489603, "model": "m", "usage": {"prompt_tokens": 96, '
        b'"completion_tokens": 31}}\n',
        _is_json_lines,
        _json_lines,
        "Logs of vLLM and of OpenAI's API: a JSON document a line, with time and usage.",
    ),
    _format(
        "llm_csv",
        "Requests as CSV",
        b"arrived_at,num_prefill_tokens,num_decode_tokens\n0,374,44\n4.31458,396,109\n",
        _is_table,
        _table,
        "A table of arrival, prompt tokens and output tokens, with a line of names.",
    ),
)
