"""Memory on a server: what `trigraph.connect` and `trigraph.connect_async` give."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from trigraph.errors import InvalidInput
from trigraph.faces.http.routes import NOT_HERE
from trigraph.faces.remote.address import server_at
from trigraph.faces.remote.asking import Flow
from trigraph.faces.remote.events import AsyncEvents, Events
from trigraph.faces.remote.transport import AsyncWire, Reach, Wire
from trigraph.faces.remote.verbs import Awaiting, DocumentVerbs, Verbs, Waiting
from trigraph.settings import token_in_environment

if TYPE_CHECKING:
    import ssl

_Answer = TypeVar("_Answer")


class _NotHere:
    """Says of what the library has and a server does not offer why that is so."""

    _prefix = ""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            why = NOT_HERE.get(self._prefix + name)
            if why is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            raise AttributeError(f"A server does not offer {self._prefix + name} ({why}): do it where the store is.")


class RemoteDocs(DocumentVerbs, Waiting, _NotHere):
    """Documents on a server: `memory.docs`."""

    def __init__(self, memory: RemoteTrigraph) -> None:
        self._calls = memory._calls
        self._memory = memory

    def _run(self, flow: Flow[_Answer]) -> _Answer:
        return self._memory._run(flow)


class RemoteTrigraph(Verbs, Waiting, _NotHere):
    """One agent's memory on a server. Thread-safe; a context manager that closes its connections at its end."""

    def __init__(self, reach: Reach) -> None:
        self._wire = Wire(reach)
        self._calls = self._wire.calls

    @property
    def docs(self) -> RemoteDocs:
        """Specs, ADRs, TODOs, any markdown with an id."""
        return RemoteDocs(self)

    def events(self, *, after: str | None = None) -> Events:
        """Your recalls and changes of memories that you may see, from now on, or after an event's cursor."""
        return Events(self._wire.open, after)

    def server_version(self) -> str:
        """The version of trigraph that answers; an error if it cannot be spoken to."""
        return self._run(self._calls.greet())

    def close(self) -> None:
        """Release the connections."""
        self._wire.client.close()

    def _run(self, flow: Flow[_Answer]) -> _Answer:
        return self._wire.run(flow)

    def __enter__(self) -> RemoteTrigraph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RemoteTrigraph({self._calls.where!r})"


class AsyncRemoteDocs(DocumentVerbs, Awaiting, _NotHere):
    """Documents on a server, every verb to be awaited."""

    def __init__(self, memory: AsyncRemoteTrigraph) -> None:
        self._calls = memory._calls
        self._memory = memory

    async def _run(self, flow: Flow[_Answer]) -> _Answer:
        return await self._memory._run(flow)


class AsyncRemoteTrigraph(Verbs, Awaiting, _NotHere):
    """One agent's memory on a server, every verb to be awaited. An `async with` block checks the server where it begins
    and closes the connections where it ends."""

    def __init__(self, reach: Reach) -> None:
        self._wire = AsyncWire(reach)
        self._calls = self._wire.calls

    @property
    def docs(self) -> AsyncRemoteDocs:
        """Specs, ADRs, TODOs, any markdown with an id."""
        return AsyncRemoteDocs(self)

    def events(self, *, after: str | None = None) -> AsyncEvents:
        """Your recalls and changes of memories that you may see, from now on, or after an event's cursor."""
        return AsyncEvents(self._wire.open, after)

    async def server_version(self) -> str:
        """The version of trigraph that answers; an error if it cannot be spoken to."""
        return await self._run(self._calls.greet())

    async def close(self) -> None:
        """Release the connections."""
        await self._wire.client.aclose()

    async def _run(self, flow: Flow[_Answer]) -> _Answer:
        return await self._wire.run(flow)

    async def __aenter__(self) -> AsyncRemoteTrigraph:
        try:
            await self.server_version()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncRemoteTrigraph({self._calls.where!r})"


def connect(
    url: str,
    *,
    token: str | None = None,
    project: str | None = None,
    agent: str | None = None,
    timeout_seconds: float = 30.0,
    retries: int = 4,
    plaintext: bool = False,
    tls: ssl.SSLContext | None = None,
) -> RemoteTrigraph:
    """Memory on the server of an address, which is asked at once whether it is one.

    The token is that of the environment (`TRIGRAPH_TOKEN`) unless one is given; a token says which agent asks, without
    one on this machine `agent` does. `timeout_seconds` is for each try; what does no harm twice is tried `retries`
    times more. `plaintext` lets a token go unencrypted to another machine; `tls` are certificates of your own to trust.
    """
    memory = RemoteTrigraph(_reach(url, token, project, agent, timeout_seconds, retries, plaintext, tls))
    try:
        memory.server_version()
    except BaseException:
        memory.close()
        raise
    return memory


def connect_async(
    url: str,
    *,
    token: str | None = None,
    project: str | None = None,
    agent: str | None = None,
    timeout_seconds: float = 30.0,
    retries: int = 4,
    plaintext: bool = False,
    tls: ssl.SSLContext | None = None,
) -> AsyncRemoteTrigraph:
    """Memory on a server for `async with`; arguments as for `connect`."""
    return AsyncRemoteTrigraph(_reach(url, token, project, agent, timeout_seconds, retries, plaintext, tls))


def _reach(
    url: str,
    token: str | None,
    project: str | None,
    agent: str | None,
    timeout_seconds: float,
    retries: int,
    plaintext: bool,
    tls: ssl.SSLContext | None,
) -> Reach:
    if timeout_seconds <= 0 or retries < 0:
        field = "timeout_seconds" if timeout_seconds <= 0 else "retries"
        raise InvalidInput(
            f"{field} is too small.", field=field, fix="Give more than 0 seconds, and 0 retries or more."
        )
    given = token_in_environment() if token is None else token
    server = server_at(url, token=given, project=project, agent=agent, plaintext=plaintext)
    return Reach(server, timeout_seconds, retries, tls)
