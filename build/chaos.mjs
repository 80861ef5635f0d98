import { runMain } from './machine/progress.mjs'
import { runProof } from './proof.mjs'

/** `npm run chaos [-- --minutes N] [--faults N] [--seed S] [--only KIND,KIND]`: see docs/testing.md. */
await runMain(() => runProof('chaos'))
