import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listCheckpoints } from '../../../server/api/v1/conversation/checkpoints.ts'
import { sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { applyToFolder } from '../../../server/api/v1/conversation/folder/apply.ts'
import { createFolderBranch } from '../../../server/api/v1/conversation/folder/branch.ts'
import { said, startConversation } from '../client/conversation.ts'
import { startGatewaySandbox } from '../client/gateway.ts'
import { watch } from '../client/watch.ts'
import type { Around } from './things.ts'

/** Conversations with a copied folder in which the agent has changed a file, each with a folder and a sandbox of its own. */
export function folderThings(around: () => Around): Record<string, () => Promise<string>> {
  const kept = once(() => checkpointed(around()))
  const lost = once(() =>
    checkpointed(around(), 'rm -rf "$HOME/.local/share/atelier"; echo two >/workspace/project/a.txt'),
  )
  return {
    restorable: async () => (await kept()).conversation,
    checkpoint: async () => (await kept()).checkpoint,
    unrestorable: async () => (await lost()).conversation,
    lostCheckpoint: async () => (await lost()).checkpoint,
    copied: async () => (await copied(around(), 'copied')).conversation,
    appliable: async () => (await copied(around(), 'appliable')).conversation,
    conflicting: async () => {
      const { conversation, folder } = await copied(around(), 'conflicting')
      writeFileSync(join(folder, 'a.txt'), 'three\n')
      return conversation
    },
    applied: async () => (await applied(around(), 'applied')).conversation,
    changedSince: async () => {
      const { conversation, folder } = await applied(around(), 'changed-since')
      writeFileSync(join(folder, 'a.txt'), 'three\n')
      return conversation
    },
    branchable: async () => (await copied(around(), 'branchable', commit)).conversation,
    branched: async () => (await branched(around(), 'branched')).conversation,
    checkedOut: async () => {
      const { conversation, folder } = await branched(around(), 'checked-out')
      git(folder, 'checkout', '-q', 'made')
      return conversation
    },
    folderless: async () => {
      const { conversation, folder } = await applied(around(), 'folderless')
      rmSync(folder, { recursive: true })
      return conversation
    },
  }
}

export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A conversation that has answered once, after which `command` was run in its sandbox. */
async function checkpointed({ service }: Around, command = 'true') {
  const { id, caller } = await startGatewaySandbox(service)
  const run = (command: string) => caller.call('POST', '/api/bash/execute_bash_command', { command })
  const task = await startConversation(service, { sandbox_id: id })
  const params = { conversation_id: task.app_conversation_id ?? '' }
  await run('echo one >/workspace/project/a.txt')
  await service.client.call(sendMessage, { params, body: said('Finish') })
  const seen = await watch(service, params.conversation_id)
  await seen.untilStatus('finished')
  await seen.close()
  await run(command)
  const { items } = await service.client.call(listCheckpoints, { params, query: {} })
  return { conversation: params.conversation_id, checkpoint: items[0]?.id ?? '' }
}

async function copied(
  around: Around,
  name: string,
  prepare: (folder: string) => void = () => {},
): Promise<{ conversation: string; folder: string }> {
  const { service, places } = around
  const folder = join(dirname(places.folder), name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  prepare(folder)
  const source = { kind: 'folder' as const, path: folder }
  const { id, caller } = await startGatewaySandbox(service)
  const task = await startConversation(service, { sandbox_id: id, source })
  if (task.status !== 'READY') throw new Error(task.detail ?? 'The conversation did not start.')
  const command = `echo two >/workspace/project/${name}/a.txt`
  await caller.call('POST', '/api/bash/execute_bash_command', { command, cwd: '/' })
  return { conversation: task.app_conversation_id ?? '', folder }
}

async function applied(around: Around, name: string) {
  const made = await copied(around, name)
  await around.service.client.call(applyToFolder, { params: { conversation_id: made.conversation }, body: {} })
  return made
}

async function branched(around: Around, name: string) {
  const made = await copied(around, name, commit)
  const params = { conversation_id: made.conversation }
  await around.service.client.call(createFolderBranch, { params, body: { name: 'made' } })
  return made
}

function commit(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'add', '-A')
  git(folder, '-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com', 'commit', '-q', '-m', 'First')
}

function git(folder: string, ...args: string[]): void {
  execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
}
