import { expect, test } from 'vitest'
import { runBuildCommand } from '../parts/engine/build-command.ts'

/** The same faults each time; `ATELIER_TEST_SEED` chooses others. */
const SHORT_SEED = 3

test('a short run of `npm run fuzz` finds no undeclared failure, no end of the service and no secret', {
  timeout: 240_000,
}, async () => {
  const seed = Number(process.env.ATELIER_TEST_SEED) || SHORT_SEED
  const { code, output } = await runBuildCommand('fuzz', ['--seed', String(seed), '--minutes', '0.2'])
  expect(code, output).toBe(0)
})
