"""The shutdown of a daemon in steps, each with a deadline, so that no running request is lost and nothing keeps the
process alive for ever.
"""

from __future__ import annotations

import asyncio
from typing import Final

from codeagentd.base.log import EventLog
from codeagentd.serve.sessions.session_registry import Sessions
from codeagentd.serve.thread_pool import ThreadPool
from codeagentd.toolkit.engine_protocol import Engine

IN_FLIGHT_S: Final = 3.0  # for requests to be answered; the others are sent again to the next daemon
ENGINE_S: Final = 8.0  # for the running batch and the checkpoint
CONTROL_S: Final = 1.0  # for the last answers to operators
GRACE_S: Final = 1.0  # seconds beyond the engine's own deadline; then the daemon leaves without waiting
LOOK_S: Final = 0.01

_log = EventLog(__name__)


async def finish(sessions: Sessions, deadline_s: float = IN_FLIGHT_S) -> None:
    """Wait until every running request is answered, at most `deadline_s`."""
    loop = asyncio.get_running_loop()
    end = loop.time() + deadline_s
    # requests end in many places, and this happens once in the life of a daemon
    while sessions.in_flight and loop.time() < end:  # noqa: ASYNC110 - see above
        await asyncio.sleep(LOOK_S)
    if sessions.in_flight:
        _log.info("requests are left to the next daemon", requests=sessions.in_flight)


async def close_engine(engine: Engine, pool: ThreadPool, deadline_s: float = ENGINE_S) -> None:
    """Close `engine` in a thread of `pool`; if that takes longer than `deadline_s`, do not wait for it any longer."""
    try:
        await asyncio.wait_for(pool.run(lambda: engine.close(deadline_s)), deadline_s + GRACE_S)
    except TimeoutError:
        _log.warning("the engine did not close in time", deadline_s=deadline_s)
    except Exception as error:  # noqa: BLE001 - we leave anyway; the next start repairs what it finds
        _log.error("the engine failed to close", error)
