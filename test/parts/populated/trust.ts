import { startConversation } from '../client/conversation.ts'
import { type GatewayCaller, startGatewaySandbox } from '../client/gateway.ts'
import { trustOf, trustRepositoryOf } from '../client/trust.ts'
import type { Around } from './things.ts'

type Make = () => Promise<string>
type Resolve = (name: string) => Promise<string>

/** Conversations in folders that bring a git hook along, each in a sandbox of its own. */
export function trustThings(around: () => Pick<Around, 'service'>, resolve: Resolve): Readonly<Record<string, Make>> {
  const begin = async (prepare: string) => {
    const { service } = around()
    const { id, caller } = await startGatewaySandbox(service)
    await runIn(caller, `mkdir -p /workspace/project/.openhands; cd /workspace/project/.openhands; ${prepare}`)
    return (await startConversation(service, { sandbox_id: id })).app_conversation_id ?? ''
  }
  const of = async (name: string) => trustOf(around().service, await resolve(name))
  return {
    asking: () => begin('echo true >pre-commit.sh'),
    askingRepository: async () => (await of('asking')).repository,
    askingDigest: async () => (await of('asking')).digest,
    linked: () => begin('ln -s /etc/profile pre-commit.sh'),
    linkedRepository: async () => (await of('linked')).repository,
    linkedDigest: async () => (await of('linked')).digest,
    offered: async () => {
      const id = await begin('echo true >pre-commit.sh')
      await trustRepositoryOf(around().service, id)
      return id
    },
    trustedRepository: async () => {
      const id = await begin('echo true >pre-commit.sh')
      return (await trustRepositoryOf(around().service, id)).repository
    },
  }
}

async function runIn(caller: GatewayCaller, command: string): Promise<void> {
  const { body } = await caller.call('POST', '/api/bash/execute_bash_command', { command })
  if (body.exit_code !== 0) throw new Error(body.stderr)
}
