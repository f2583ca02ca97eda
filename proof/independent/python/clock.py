"""The clock of a workspace: real time plus an offset, all in milliseconds."""

import asyncio
import heapq
import itertools
import time

GRACE_MS = 500
ANSWER_MS = 10_000


def real_ms():
    return time.time_ns() // 1_000_000


class Clock:
    def __init__(self):
        self._offset = 0
        self._held_at = None
        self._queue = []  # (due, number, function)
        self._numbers = itertools.count()
        self._flights = {}  # task -> (start on this clock, start in real time)
        self._timer = None
        self._lock = asyncio.Lock()

    def now(self):
        return real_ms() + self._offset if self._held_at is None else self._held_at

    def at(self, due, function):
        """Calls a function at a time of this clock."""
        heapq.heappush(self._queue, (due, next(self._numbers), function))
        self._arm()

    def fly(self, coroutine):
        """Runs an attempt; it is cancelled when ten seconds of this clock have passed."""
        task = asyncio.ensure_future(coroutine)
        self._flights[task] = (self.now(), real_ms())
        limit = asyncio.get_running_loop().call_later(ANSWER_MS / 1000, task.cancel)

        def ended(_):
            limit.cancel()
            self._flights.pop(task, None)

        task.add_done_callback(ended)

    def stop(self):
        self._queue.clear()
        for task in list(self._flights):
            task.cancel()

    async def advance(self, ms):
        """Moves on; returns the time once every attempt due by then has ended."""
        async with self._lock:
            target = self.now() + ms
            self._held_at = self.now()
            try:
                await self._run_up_to(target)
            finally:
                self._held_at = None
                self._offset += ms
                self._arm()
            while waited := [task for task, (start, _) in self._flights.items() if start <= target]:
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            return self.now()

    async def _run_up_to(self, target):
        while True:
            self._run_due()
            await self._give_grace()
            times = [start + ANSWER_MS for start, _ in self._flights.values()]
            first_limit = min(times, default=float("inf"))
            first_due = self._queue[0][0] if self._queue else float("inf")
            step = min(first_limit, first_due)
            if step > target:
                return
            self._held_at = max(self._held_at, step)
            late = [task for task, (start, _) in self._flights.items() if start + ANSWER_MS <= step]
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)

    async def _give_grace(self):
        """Until every attempt has ended, or has had half a second of real time."""
        while self._flights:
            left = max(real for _, real in self._flights.values()) + GRACE_MS - real_ms()
            if left <= 0:
                return
            await asyncio.wait(list(self._flights), timeout=left / 1000)

    def _run_due(self):
        now = self.now()
        while self._queue and self._queue[0][0] <= now:
            heapq.heappop(self._queue)[2]()

    def _arm(self):
        if self._held_at is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
        if self._queue:
            wait = max(0, self._queue[0][0] - self.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(min(wait, 86_400), self._ring)

    def _ring(self):
        if self._held_at is None:
            self._run_due()
            self._arm()
