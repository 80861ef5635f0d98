import { expect, test } from 'vitest'
import { runBuildCommand } from '../parts/engine/build-command.ts'

const FAULTS = 12

/** The same faults each time; `ATELIER_TEST_SEED` chooses others. */
const SHORT_SEED = 3

test(`${FAULTS} faults of \`npm run chaos\` lose nothing, repeat nothing and leave nothing behind`, {
  timeout: 240_000,
}, async () => {
  const seed = Number(process.env.ATELIER_TEST_SEED) || SHORT_SEED
  const { code, output } = await runBuildCommand('chaos', ['--seed', String(seed), '--faults', String(FAULTS)])
  expect(code, output).toBe(0)
  expect(output).toContain(`${FAULTS} faults in`)
})
