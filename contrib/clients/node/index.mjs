// For `import`: the same client, once in a process whichever way it is loaded.

import entitld from "./index.js";

export const { Client, EntitldError, Unavailable, UnknownOutcome } = entitld;
