import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A D-Bus daemon of one's own. No service files: nothing on this bus is started by asking for it.
 * @param folder gets its configuration and its socket `bus`
 */
export async function startBus(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ bus: ChildProcess; address: string }> {
  const config = join(folder, 'bus.conf')
  const address = `unix:path=${join(folder, 'bus')}`
  writeFileSync(
    config,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>${address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`,
  )
  const args = ['--nofork', `--config-file=${config}`, '--print-address=1']
  const bus = spawn('dbus-daemon', args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  await Promise.race([once(bus.stdout, 'data'), programFailure(bus, 'dbus-daemon')])
  return { bus, address }
}

/** Rejects when the program ends. */
export async function programFailure(child: ChildProcess, name: string): Promise<never> {
  const [problem] = await Promise.race([once(child, 'exit'), once(child, 'error')])
  throw new Error(`${name} ended (${problem}). Is it installed?`)
}

export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
