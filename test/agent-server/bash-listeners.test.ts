import { expect, it } from 'vitest'
import { BashService } from '../../server/agent-server/workspace/bash.ts'

it('many commands at a time give no warning of a leak', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const exec = ({ signal }: { signal: AbortSignal }) =>
    new Promise(resolve => signal.addEventListener('abort', () => resolve({ exitCode: 0 }), { once: true }))
  const history = { add: () => {} }
  const mask = { mask: (text: string) => text, stream: () => ({ push: (text: string) => text, flush: () => '' }) }
  const bash = new BashService({
    sandboxes: { open: async () => ({ id: 'one', exec }) },
    histories: { of: () => history, close: () => {} },
    mask,
  } as never)
  const signal = new AbortController().signal
  for (let index = 0; index < 15; index++) {
    await bash.start({ kind: 'all' } as never, { command: 'true', timeout: 30 } as never, signal)
  }
  await new Promise(resolve => setImmediate(resolve))
  await bash.close()
  process.off('warning', note)
  expect(warnings).toEqual([])
})
