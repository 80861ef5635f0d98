import { pauseSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { createTerminal } from '../../../server/api/v1/sandbox/terminals.ts'
import { startGatewaySandbox } from '../client/gateway.ts'
import { showTerminal } from '../client/terminal.ts'
import type { Around } from './things.ts'

/** Terminals in the sandbox that most requests are about. */
export function terminalThings(
  around: () => Around,
): Record<'once' | 'kept', Readonly<Record<string, () => Promise<string>>>> {
  let stopped: Promise<{ sandbox: string; terminal: string }> | undefined
  const inStopped = () => {
    stopped ??= inStoppedSandbox(around())
    return stopped
  }
  const once = {
    spareTerminal: () => openedTerminal(around()),
    endedTerminal: () => endedTerminal(around()),
  }
  const kept = {
    stoppedTerminal: async () => (await inStopped()).terminal,
    stoppedTerminalSandbox: async () => (await inStopped()).sandbox,
    terminal: () => openedTerminal(around()),
    /** Its folder is there no more. */
    misplacedTerminal: () => endedTerminal(around(), '/tmp/misplaced', 'rmdir /tmp/misplaced; '),
    /** It runs a program. */
    busyTerminal: () => openedTerminal(around(), 'exec 3>&1; sh -c "echo be""gun; exec sleep 1001"\r', 'begun'),
  }
  return { once, kept }
}

async function openedTerminal(
  { service, sandboxId }: Around,
  typed = 'echo rea""dy\r',
  answer = 'ready',
  body = {},
): Promise<string> {
  const { id } = await service.client.call(createTerminal, { params: { sandbox_id: sandboxId }, body })
  const shown = await showTerminal(service.url, service.key, id)
  shown.type(typed)
  await shown.shows(answer)
  shown.close()
  return id
}

/** A shell that has ended, in a sandbox that is paused. */
async function inStoppedSandbox(around: Around): Promise<{ sandbox: string; terminal: string }> {
  const { id } = await startGatewaySandbox(around.service)
  const terminal = await endedTerminal({ ...around, sandboxId: id })
  await around.service.client.call(pauseSandbox, { params: { sandbox_id: id } })
  return { sandbox: id, terminal }
}

/** A terminal whose shell has ended. */
async function endedTerminal(around: Around, cwd?: string, before = ''): Promise<string> {
  if (cwd !== undefined) await around.caller.call('POST', '/api/bash/execute_bash_command', { command: `mkdir ${cwd}` })
  const id = await openedTerminal(around, undefined, undefined, cwd === undefined ? {} : { cwd })
  const shown = await showTerminal(around.service.url, around.service.key, id)
  shown.type(`${before}exit 3\r`)
  await shown.until(({ type }) => type === 'ended')
  shown.close()
  return id
}
