import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Message } from '@jellybrick/dbus-next'
import { joinBus } from './bus.ts'
import { endProgram, startBus } from './bus-daemon.ts'

export interface Logind {
  /** The whole environment with a system bus of its own. */
  env: NodeJS.ProcessEnv
  /** Tells everybody that the computer falls asleep, or that it has woken up. */
  tell(what: 'sleep' | 'wake'): void
  close(): Promise<void>
}

const MANAGER = 'org.freedesktop.login1.Manager'

/** What says on Linux when the computer sleeps, on a system bus of its own. It keeps no locks, so nobody can delay a sleep. */
export async function startLogind(env: NodeJS.ProcessEnv): Promise<Logind> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-logind-'))
  const { bus, address } = await startBus(folder, env)
  const program = await joinBus(address, 'org.freedesktop.login1', {})
  return {
    env: { ...env, DBUS_SYSTEM_BUS_ADDRESS: address },
    tell: what => {
      const isAsleep = [what === 'sleep']
      program.bus.send(Message.newSignal('/org/freedesktop/login1', MANAGER, 'PrepareForSleep', 'b', isAsleep))
    },
    close: async () => {
      program.close()
      await endProgram(bus)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
