"""The engine request by request, compiled: each event is a pass, not a token."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel
from capmodels.serving import engine
from capmodels.serving.batching import CHUNK_TOKENS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.serving.engine import Deployment

# A chunk in which weights are read for many, as the closed form takes it.
FULL_TOKENS = CHUNK_TOKENS
_pass_s = kernel(engine.pass_s)


@kernel(nogil=True)
def replay(  # noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 -- one loop, in which every step counts
    of: Deployment,
    arrival_s: NDArray[np.float64],
    prompt: NDArray[np.int64],
    output: NDArray[np.int64],
    room_tokens: int,
    most_rows: int,
    budget_tokens: int,
    users: int,
    think_s: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], int, int, float]:
    """Serve requests in order of arrival and return their times.

    Parameters
    ----------
    of
        The deployment's coefficients.
    arrival_s
        When each arrives; not read in closed loop.
    prompt, output
        Tokens of each; an output is at least 1.
    room_tokens
        Tokens that the KV cache holds.
    most_rows
        Requests that are served at once at most.
    budget_tokens
        New tokens of a pass at most: rows first, the rest for prompts in chunks.
    users
        Requests in flight of a closed loop, each followed by the next after ``think_s``; 0 for
        an open one.

    Returns
    -------
    tuple
        Arrival, first token and end of each [s] (end -1 where it never fits), passes,
        preemptions, and the time in passes [s].

    Notes
    -----
    Rows are decoded, then prompts are prefilled into what is left of the budget, started ones
    first. Where the cache is full the youngest row gives its blocks up and is prefilled anew
    with what it had generated (recomputation, as vLLM does). Passes in which only contexts
    grow are taken at once, at the mean context, up to the next arrival or end.
    """
    count = len(prompt)
    start = arrival_s.copy()
    first = np.full(count, -1.0)
    end = np.full(count, -1.0)
    made = np.zeros(count, np.int64)
    # Tokens to prefill of each, and those that are done.
    wanted = prompt.copy()
    done = np.zeros(count, np.int64)
    # Requests that are served, oldest first, and those that were preempted, a stack.
    live = np.empty(most_rows, np.int64)
    live_count = 0
    back = np.empty(most_rows + 1, np.int64)
    back_count = 0
    # Ends of a closed loop that are followed by the next request: a heap is not needed, for
    # think times are constant, so that they stay in order.
    following = np.empty(count + users + 1, np.float64)
    following_at, following_count = 0, 0
    closed = users > 0
    if closed:
        for _ in range(min(users, count)):
            following[following_count] = 0.0
            following_count += 1
    now, busy = 0.0, 0.0
    chunk_token_s = _pass_s(of, FULL_TOKENS, 1.0, 0.0, 0.0) / FULL_TOKENS
    next_one = 0
    held = 0
    passes, preempted = 0, 0
    while True:
        # Admit: preempted ones first, then those that have arrived, while there is room.
        while live_count < most_rows:
            if back_count > 0:
                who = back[back_count - 1]
            elif next_one < count:
                if closed:
                    if following_at >= following_count or following[following_at] > now:
                        break
                    start[next_one] = following[following_at]
                elif start[next_one] > now:
                    break
                who = next_one
            else:
                break
            if prompt[who] + output[who] > room_tokens:
                # It can never be served.
                if closed:
                    following_at += 1
                    following[following_count] = now
                    following_count += 1
                next_one += 1
                continue
            if held + wanted[who] + 1 > room_tokens:
                break
            if back_count > 0:
                back_count -= 1
            else:
                next_one += 1
                if closed:
                    following_at += 1
            held += wanted[who]
            live[live_count] = who
            live_count += 1
        if live_count == 0:
            if closed:
                if following_at >= following_count or next_one >= count:
                    break
                now = max(now, following[following_at])
            else:
                if next_one >= count:
                    break
                now = max(now, start[next_one])
            continue
        # What the pass does.
        rows, cached, chunk, pairs = 0, 0, 0, 0.0
        least_left = 1 << 60
        for place in range(live_count):
            who = live[place]
            if done[who] >= wanted[who]:
                rows += 1
                cached += prompt[who] + made[who]
                least_left = min(least_left, output[who] - made[who])
        # Room for one more token of each row, else the youngest goes back.
        while held + rows > room_tokens and live_count > 1:
            live_count -= 1
            who = live[live_count]
            held -= wanted[who] if done[who] < wanted[who] else prompt[who] + made[who]
            if done[who] >= wanted[who]:
                rows -= 1
                cached -= prompt[who] + made[who]
            wanted[who] = prompt[who] + made[who]
            done[who] = 0
            back[back_count] = who
            back_count += 1
            preempted += 1
        left = budget_tokens - rows
        touched = rows
        prefilling = 0
        for place in range(live_count):
            who = live[place]
            missing = wanted[who] - done[who]
            if missing > 0 and left > 0:
                part = min(missing, left)
                # Pairs of the part with all before it and within it.
                pairs += part * (done[who] + 0.5 * part)
                left -= part
                chunk += part
                touched += 1
                prefilling += 1
        steps = 1
        if prefilling == 0 and rows > 0:
            steps = max(1, least_left)
            steps = min(steps, max(1, (room_tokens - held) // rows))
            each = _pass_s(of, float(rows), float(rows), cached + rows * 0.5 * (steps - 1), 0.0)
            upcoming = np.inf
            if live_count < most_rows:
                if closed:
                    if next_one < count and following_at < following_count:
                        upcoming = following[following_at]
                elif next_one < count:
                    upcoming = start[next_one]
            if upcoming > now and upcoming < now + steps * each:
                steps = min(steps, max(1, int(np.ceil((upcoming - now) / each))))
            if steps > 1:
                each = _pass_s(of, float(rows), float(rows), cached + rows * 0.5 * (steps - 1), 0.0)
            took = steps * each
        else:
            took = _pass_s(of, float(chunk), float(touched), 0.0, pairs)
            if rows > 0:
                # A mixed pass as it was fitted: rows, and a prefill's share of a full chunk.
                took = _pass_s(of, float(rows), float(rows), float(cached), 0.0)
                took += of.mix * (chunk * chunk_token_s + of.pair_s * pairs)
        now += took
        busy += took
        passes += steps
        # Emit.
        left = budget_tokens - rows
        kept = 0
        for place in range(live_count):
            who = live[place]
            missing = wanted[who] - done[who]
            if missing > 0:
                part = min(missing, left)
                left -= part
                done[who] += part
                if part == missing:
                    made[who] += 1
                    held += 1
                    if first[who] < 0:
                        first[who] = now + of.first_s
            else:
                made[who] += steps
                held += steps
            if made[who] >= output[who] and done[who] >= wanted[who]:
                end[who] = now + of.first_s
                held -= prompt[who] + made[who]
                if closed and following_count < len(following):
                    following[following_count] = now + think_s
                    following_count += 1
            else:
                live[kept] = who
                kept += 1
        live_count = kept
    return start, first, end, passes, preempted, busy
