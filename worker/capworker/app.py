"""The Celery app of the workers: ``celery -A capworker.app worker -Q interactive``."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import resource
from typing import Any

from celery import Celery
from celery.signals import task_prerun, worker_init, worker_process_init
from django.conf import settings
from django.db import close_old_connections, connections

import capmodels
from capmodels import compiler
from common import tracing
from common.startup import require_app_role
from config.celery import TRANSPORT_OPTIONS
from jobs import kinds

# Without Celery's Django fixup, which closes the connection after every task.
app = Celery(
    "capworker",
    broker=settings.BROKER_URL,
    include=["capworker.tasks", "capworker.watchdog"],
    fixups=[],
    task_cls="capworker.base:LoudTask",
)
app.conf.update(
    broker_transport_options=TRANSPORT_OPTIONS,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    # The row says whether a job is done; a message may come twice or too late.
    task_acks_late=True,
    task_ignore_result=True,
    worker_prefetch_multiplier=1,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    # Nobody asks the workers anything over the broker: canaries show that they work.
    worker_enable_remote_control=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    worker_redirect_stdouts=False,
    # A process that has grown gives its memory back by ending after its job. [kB]
    worker_max_memory_per_child=settings.WORKER_MEMORY_MB * 1000 // 3,
)


@worker_init.connect
def warm(sender: Any = None, **_signal: Any) -> None:
    """Load the code of every kind, compile the kernels, and freeze, before forking.

    The children then share the memory, and no first job waits for a compiler.
    """
    require_app_role()
    kinds.load_code()
    if sender is not None:
        kinds.warm(sender.app.amqp.queues.consume_from)
    compiler.load()
    for module in pkgutil.walk_packages(capmodels.__path__, "capmodels."):
        if module.name.endswith("_kernel"):
            kernel = importlib.import_module(module.name)
            getattr(kernel, "warm", lambda: None)()
    connections.close_all()
    compiler.let_go()
    gc.collect()
    gc.freeze()


@worker_process_init.connect
def begin_child(**_signal: Any) -> None:
    """Start each process without its parent's connections, and with a limit of its memory.

    Above it an allocation fails and the job ends with a sentence, before the machine is full
    and the kernel ends whatever is largest. What is counted is what a process writes to.
    """
    connections.close_all()
    tracing.start("worker")
    most_bytes = settings.WORKER_MEMORY_MB * 1_000_000
    resource.setrlimit(resource.RLIMIT_DATA, (most_bytes, resource.RLIM_INFINITY))


@task_prerun.connect
def drop_dead_connections(**_signal: Any) -> None:
    """Keep the connection between tasks, but let a database restart be felt only once."""
    close_old_connections()
