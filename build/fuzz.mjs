import { runMain } from './machine/progress.mjs'
import { runProof } from './proof.mjs'

/** `npm run fuzz [-- --minutes N] [--seed S]`: see docs/testing.md. */
await runMain(() => runProof('fuzz'))
