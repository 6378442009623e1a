"""`python -m runs.answerer FD NICENESS` does what comes by a socket until that closes."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
from multiprocessing.connection import Connection
from typing import Any


def main(descriptor: int, niceness: int) -> None:
    """Answer until nobody can ask any more."""
    # Ctrl-C goes to all processes of a terminal; this one ends with who asks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(niceness)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from capmodels.plans.warming import warm_draws
    from capmodels.registry import all_models
    from common.memory import keep_freed_memory
    from common.problems import as_application_error

    keep_freed_memory()
    all_models()
    warm_draws()
    # An answer makes thousands of objects that die with it, almost none of them in cycles: looking
    # for those after every 700 costs a fifth of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)
    pipe: Connection[Any, Any] = Connection(descriptor)
    while True:
        try:
            work = pickle.loads(pipe.recv_bytes())  # of our own process
        except EOFError:
            return
        found: Any
        try:
            found = work()
        except Exception as exc:
            failure = RuntimeError(f"an instant answer failed:\n{traceback.format_exc()}")
            found = as_application_error(exc, {}) or failure
        try:
            pipe.send_bytes(pickle.dumps(found))
        except OSError:
            return


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
