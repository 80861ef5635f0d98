import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { endProgram, programFailure } from './bus-daemon.ts'

export interface Compositor {
  /** The whole environment for a program whose windows it shows. */
  env: NodeJS.ProcessEnv
  close(): Promise<void>
}

/** A desktop of Wayland without X11, as Weston makes it in memory. Its socket lies in the environment's folder of the session. */
export async function startCompositor(session: NodeJS.ProcessEnv): Promise<Compositor> {
  const name = 'wayland-of-test'
  const env = { ...session, DISPLAY: undefined, WAYLAND_DISPLAY: name }
  const options = ['--use-pixman', '--width=1440', '--height=900', '--idle-time=0', `--socket=${name}`]
  const weston = spawn('weston', ['--backend=headless-backend.so', ...options], { env: session, stdio: 'ignore' })
  const failed = programFailure(weston, 'weston')
  await Promise.race([untilThere(join(session.XDG_RUNTIME_DIR ?? '', name)), failed])
  return { env, close: () => endProgram(weston) }
}

async function untilThere(socket: string): Promise<void> {
  while (!existsSync(socket)) await delay(20)
}
