import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { SandboxHandle, TerminalRequest } from '../../../server/domain/sandbox-handle.ts'
import { SessionEmulator } from '../../../server/tools/terminal/emulator/session-emulator.ts'
import { Shell } from '../../../server/tools/terminal/shell.ts'

test('Stop ends the opening of a shell in a sandbox that was paused at this moment and answers nothing', async () => {
  const emulator = new SessionEmulator()
  const stop = new AbortController()
  const sandbox = {
    workingDir: '/',
    openTerminal: async ({ signal }: TerminalRequest) => {
      stop.abort(new Error('Stopped.'))
      if (!signal) throw new Error('It would wait for ever.')
      if (!signal.aborted) await once(signal, 'abort')
      throw signal.reason
    },
  } as unknown as SandboxHandle
  await expect(Shell.open({ sandbox, emulator }, stop.signal)).rejects.toThrow('Stopped.')
  emulator.close()
})
