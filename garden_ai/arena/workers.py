"""Where games are played: any `concurrent.futures.Executor`, processes of this machine or a Dask cluster."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.process
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from garden_core.fields import FieldError

from garden_ai import __version__

T = TypeVar("T")
AHEAD = 4  # tasks a worker that are handed out before they are needed
CONNECT_SECONDS = 10


@dataclass(frozen=True)
class Workers:
    """An executor and how many tasks it works on at the same time."""

    executor: Executor
    count: int

    def ordered(self, tasks: Iterable[Callable[[], T]]) -> Generator[T]:
        """The results of tasks in their order, while later ones are at work; only some more than needed are handed out."""
        waiting: deque[Future[T]] = deque()
        try:
            for task in tasks:
                waiting.append(self.executor.submit(task))
                if len(waiting) >= AHEAD * self.count:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def processes(count: int | None = None) -> Iterator[Workers]:
    """Processes of this machine, as many as it has processors by default; whatever ends the work ends them at once.

    Raises `FieldError` where one of them dies.
    """
    count = count or os.cpu_count() or 1
    others = set(multiprocessing.active_children())
    try:
        executor = ProcessPoolExecutor(count, initializer=_begin)
        with _interrupts_held():
            executor.submit(_begin)
    except OSError as error:
        raise FieldError("--workers", f"cannot be started: {error.strerror or error}") from None
    try:
        yield Workers(executor, count)
    except BrokenExecutor:
        expected = "expected workers that live until the end; one was killed, perhaps for want of memory"
        raise FieldError("--workers", expected) from None
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
            process.join()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits, here and for good in processes started meanwhile, so that it cannot reach one that is only half begun."""
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)


def _begin() -> None:
    """Ctrl-C reaches every process of a terminal, and the one that handed out the work decides; without it a worker ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The Dask cluster whose scheduler has that address.

    Raises `FieldError` where none answers, it has no workers or others than this program's, one dies again and again, or Dask is
    not installed.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed.comm import CommClosedError
    except ImportError:
        raise FieldError("--scheduler", "expected Dask to be installed: pip install 'garden-ai[cluster]'") from None
    with _no_logging():
        try:
            client = Client(address, timeout=CONNECT_SECONDS)
        except (OSError, ValueError) as error:
            expected = f"expected the address of a Dask scheduler; {address!r} does not answer: {error}"
            raise FieldError("--scheduler", expected) from None
        with client:
            try:
                client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            except TimeoutError:
                raise FieldError("--scheduler", f"expected a scheduler with workers; {address!r} has none") from None
            try:
                _check_versions(client.run(_version))
                yield Workers(client.get_executor(pure=False), max(1, sum(client.nthreads().values())))
            except (CommClosedError, KilledWorker, CancelledError) as error:
                expected = f"expected a scheduler and workers that live until the end; {str(error) or 'they are gone'}"
                raise FieldError("--scheduler", expected) from None


@contextmanager
def _no_logging() -> Iterator[None]:
    """What goes wrong in a cluster is said once, as an error; Dask's own threads would tell it, too, in many lines."""
    usual = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(usual)


def _version() -> str:
    return __version__


def _check_versions(found: dict[str, str]) -> None:
    for worker, version in found.items():
        if version != __version__:
            raise FieldError("--scheduler", f"expected garden-ai {__version__} on every worker; {worker} has {version}")
