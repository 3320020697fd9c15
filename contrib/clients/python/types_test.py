"""Checked by mypy and never run: the types of the client, as a strict program uses them."""

from typing import Optional

from entitld import Client, EntitldError
from entitld.aio import AsyncClient


def may_render(client: Client, user: str) -> bool:
    granted: bool = client.can_render(user, cost=2)["canRender"]
    left: int = client.consume_credit(user)["creditsRemaining"]
    for method, params in client.watch([user]):
        print(method, params)
    signed: str = client.sign_introductory_offer(user, "yearly", min_seq=3)["jws"]
    client.can_render(user, cost="2")  # type: ignore[arg-type]
    client.status(user)["colour"]  # type: ignore[typeddict-item]
    return granted and left > 0 and signed != ""


def key(error: EntitldError) -> Optional[str]:
    return error.idempotency_key


async def state(user: str) -> str:
    async with AsyncClient(timeout=1, connections=2) as client:
        async for method, params in client.watch():
            print(method, params)
        return (await client.status(user))["state"]
