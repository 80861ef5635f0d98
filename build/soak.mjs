import { runMain } from './machine/progress.mjs'
import { runProof } from './proof.mjs'

/** `npm run soak -- --minutes N`: see docs/testing.md. */
await runMain(() => runProof('soak'))
