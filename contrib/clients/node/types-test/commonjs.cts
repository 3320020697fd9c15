// Compiled and never run: the same types by `require`; esm.mts has what a program does with them.

import { Client, Unavailable, type Status } from "entitld";

export const entitlements: Client = new Client({ timeoutMs: 5 });
export const tierOf = (status: Status): string => status.tier;
export const isAway = (error: unknown): boolean => error instanceof Unavailable;
// @ts-expect-error: a member that there is not
entitlements.status("a").then((status) => status.colour);
