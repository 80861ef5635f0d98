import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { listCheckpoints, restoreCheckpoint } from '../../../../server/api/v1/conversation/checkpoints.ts'
import {
  deleteAppConversation,
  listAppConversations,
  sendMessage,
} from '../../../../server/api/v1/conversation/conversations.ts'
import { searchConversationEvents } from '../../../../server/api/v1/conversation/event-routes.ts'
import { applyToFolder, previewFolderApply } from '../../../../server/api/v1/conversation/folder/apply.ts'
import { batchGetStartTasks, cancelStartTask } from '../../../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation } from '../../../../server/api/v1/conversation/starts.ts'
import { deleteSandbox, searchSandboxes } from '../../../../server/api/v1/sandbox/sandboxes.ts'
import { createSandboxSpec, replaceSandboxSpec, searchSandboxSpecs } from '../../../../server/api/v1/sandbox/specs.ts'
import { LABEL } from '../../../../server/docker/container/labels.ts'
import { it as base } from '../../../fixtures/service.ts'
import { said, startConversation } from '../../../parts/client/conversation.ts'
import { watch } from '../../../parts/client/watch.ts'
import { imagesOf, runScript, testEngine } from '../../../parts/engine/containers.ts'
import { newFolder } from '../../../parts/test-folder.ts'

const it = base
  .extend('script', { scope: 'file' }, ({ model }) => (...commands: string[]) => {
    const steps = commands.map(command => call('terminal', { command }))
    model.setScript([...steps, call('finish', { message: 'Done.' })])
  })
  .extend('log', { scope: 'file' }, ({ service }) => async (params: { conversation_id: string }) => {
    return (await service.client.call(searchConversationEvents, { params, query: { limit: 100 } })).items
  })
  .extend('start', { scope: 'file' }, ({ service, script, log }) => async (body: Start) => {
    const task = await startConversation(service, body)
    expect({ status: task.status, detail: task.detail }).toEqual({ status: 'READY', detail: null })
    const id = task.app_conversation_id ?? ''
    const sandbox = task.sandbox_id ?? ''
    const params = { conversation_id: id }
    const run = async (text: string, cwd = FOLDER) => (await runScript(sandbox, { cwd, script: text })).printed
    const work = async (...commands: string[]) => {
      script(...commands)
      const seen = await watch(service, id)
      const { seq: before = -1 } = (await log(params)).at(-1) ?? {}
      await service.client.call(sendMessage, { params, body: said('Go on.') })
      await seen.untilStatus('finished', before + 1)
      await seen.close()
    }
    return { id, sandbox, params, task, run, work }
  })
  .extend('read', { scope: 'file' }, ({ service }) => async (id: string) => {
    const found = await service.client.call(listAppConversations, { query: { ids: [id] } })
    return Array.isArray(found) ? found[0] : undefined
  })
  .extend('startOf', { scope: 'file' }, ({ service }) => async (id: string) => {
    return (await service.client.call(batchGetStartTasks, { query: { ids: [id] } })).find(task => task)
  })
  .extend('begin', { scope: 'file' }, ({ service }) => (body: Start) => {
    return service.client.call(createAppConversation, { body })
  })

type Start = Parameters<typeof startConversation>[1]

const FOLDER = '/workspace/project'
const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })

/** Those that were made for copies, by the service that has this sandbox. */
async function images(sandbox: string): Promise<string[]> {
  const engine = testEngine()
  const { [LABEL.instance]: instance = '' } = (await engine.inspectContainer(sandbox))?.labels ?? {}
  const found = await imagesOf(engine, instance)
  await engine.close()
  return found.map(({ name }) => name)
}

const imageOf = (sandbox: string) => `atelier-copy:${sandbox}`

describe('a fork in a sandbox of its own', () => {
  it('goes on from an earlier step, with the files of then, and disturbs nothing of the original', async ({
    start,
    log,
    script,
    service,
    read,
    model,
  }) => {
    const original = await start({ title: 'Colours' })
    await original.work('echo red >a.txt; echo tool >/opt/tool; ln -s a.txt link', 'echo blue >a.txt; echo x >b.txt')
    const events = await log(original.params)
    const first = events.find(({ kind }) => kind === 'ObservationEvent')
    script('echo green >>a.txt')
    const fork = await start({
      forked_from_conversation_id: original.id,
      forked_from_event_id: first?.id ?? null,
      initial_message: said('Make it green.'),
      llm_model: 'openai/other',
      max_iterations: 7,
      security_analyzer: 'llm',
    })
    const seen = await watch(service, fork.id)
    await seen.untilStatus('finished')
    await seen.close()
    expect(await fork.run('cat a.txt link /opt/tool; ls')).toBe('red\ngreen\nred\ngreen\ntool\na.txt\nlink')
    expect(await original.run('cat a.txt; ls')).toBe('blue\na.txt\nb.txt\nlink')
    expect(await read(fork.id)).toMatchObject({
      title: 'Colours (fork)',
      forked_from_conversation_id: original.id,
      forked_from_event_id: first?.id,
      llm_model: 'openai/other',
      max_iterations: 7,
      security_analyzer: 'llm',
      execution_status: 'finished',
    })
    expect(fork.sandbox).not.toBe(original.sandbox)
    const before = events.slice(0, (first?.seq ?? 0) + 1).filter(({ kind }) => kind !== 'ConversationStateUpdateEvent')
    const copied = (await log(fork.params)).slice(0, before.length)
    expect(copied.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(model.requests.at(-1)?.body).toMatchObject({ model: 'other' })
    const details = fork.task.steps.map(({ detail }) => detail)
    expect(details[1]).toBe('The files are as they were then.')

    // What was kept of the files came along, and is the fork's alone.
    const { items } = await service.client.call(listCheckpoints, { params: fork.params, query: {} })
    expect(items.map(({ reason }) => reason)).toEqual(['step', 'turn', 'step', 'turn'])
    const begun = items.at(-1)?.id ?? ''
    await service.client.call(restoreCheckpoint, { params: { ...fork.params, checkpoint_id: begun } })
    expect(await fork.run('ls')).toBe('')
    expect(await original.run('cat a.txt')).toBe('blue')
  })

  it('goes on from where the original stands, also while that works, and outlives it', async ({
    start,
    model,
    service,
    read,
  }) => {
    const original = await start({})
    await original.work('echo one >a.txt')
    await original.run('mkdir -p node_modules; echo kept >node_modules/k; echo node_modules >.gitignore')
    model.setScript([call('terminal', { command: 'touch /tmp/works; sleep 600', timeout: 600 })])
    await service.client.call(sendMessage, { params: original.params, body: said('Wait.') })
    await original.run('while ! [ -e /tmp/works ]; do sleep 0.1; done')
    const fork = await start({ forked_from_conversation_id: original.id, title: 'Second try' })
    expect(await fork.run('cat a.txt node_modules/k')).toBe('one\nkept')
    expect(await read(fork.id)).toMatchObject({ title: 'Second try', execution_status: 'idle' })
    expect(await read(original.id)).toMatchObject({ execution_status: 'running', sandbox_status: 'RUNNING' })
    await service.client.call(deleteAppConversation, { params: original.params })
    await fork.work('echo two >>a.txt')
    expect(await fork.run('cat a.txt')).toBe('one\ntwo')
  })

  it('leaves no image behind, in whatever order forks of forks are deleted', async ({ start, service }) => {
    const original = await start({})
    await original.run('echo 1 >n')
    const second = await start({ forked_from_conversation_id: original.id })
    await second.run('echo 2 >n')
    const third = await start({ forked_from_conversation_id: second.id })
    expect(await third.run('cat n')).toBe('2')
    expect(await images(original.sandbox)).toEqual(
      expect.arrayContaining([imageOf(second.sandbox), imageOf(third.sandbox)]),
    )
    await service.client.call(deleteAppConversation, { params: second.params })
    expect((await service.client.call(searchSandboxes, { query: {} })).items.map(({ id }) => id)).not.toContain(
      second.sandbox,
    )
    await third.run('cat n >>n2')
    await service.client.call(deleteAppConversation, { params: third.params })
    await expect.poll(() => images(original.sandbox)).not.toEqual(expect.arrayContaining([imageOf(second.sandbox)]))
    expect(await images(original.sandbox)).not.toContain(imageOf(third.sandbox))
    expect(await original.run('cat n')).toBe('1')
  })

  it('has the files of a mounted folder as its own, and writes nothing to the folder', async ({ start, read }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n' }).commit()
    const source = { kind: 'folder' as const, path: folder.path, mode: 'in_place' as const, confirm_in_place: true }
    const original = await start({ source })
    const fork = await start({ forked_from_conversation_id: original.id })
    const inside = `${FOLDER}/shop`
    expect(await fork.run('echo two >>a.txt; touch new; cat a.txt; git status --porcelain', inside)).toBe(
      'one\ntwo\n M a.txt\n?? new',
    )
    expect(readFileSync(join(folder.path, 'a.txt'), 'utf8')).toBe('one\n')
    expect(existsSync(join(folder.path, 'new'))).toBe(false)
    expect(await read(fork.id)).toMatchObject({ source_folder: null, folder_mode: null, mounted_folder: null })
  })

  it('of a copied folder can be taken back to it like the original', async ({ start, service }) => {
    const folder = newFolder().write({ 'a.txt': 'one\n', 'b.txt': 'b\n' }).commit()
    const original = await start({ source: { kind: 'folder', path: folder.path } })
    const inside = `${FOLDER}/shop`
    await original.run('echo first >a.txt', inside)
    await service.client.call(applyToFolder, { params: original.params, body: {} })
    const fork = await start({ forked_from_conversation_id: original.id })
    await fork.run('echo second >a.txt; echo new >c.txt', inside)
    const { files, undoable } = await service.client.call(previewFolderApply, { params: fork.params })
    expect(files.map(({ path, state }) => `${path} ${state}`)).toEqual(['a.txt fits', 'c.txt fits'])
    expect(undoable).toBe(false)
    await service.client.call(applyToFolder, { params: fork.params, body: {} })
    expect(readFileSync(join(folder.path, 'a.txt'), 'utf8')).toBe('second\n')
    expect(readFileSync(join(folder.path, 'c.txt'), 'utf8')).toBe('new\n')
  })

  it('has no network where the original has none, whatever its spec says now', async ({ service, start }) => {
    const [builtIn] = (await service.client.call(searchSandboxSpecs, { query: {} })).items
    const body = { title: 'Closed', image: builtIn?.image ?? '', network: 'none' as const }
    const spec = await service.client.call(createSandboxSpec, { body })
    const original = await start({ sandbox_spec_id: spec.id })
    const open = { ...body, network: 'full' as const }
    await service.client.call(replaceSandboxSpec, { params: { spec_id: spec.id }, body: open })
    const fork = await start({ forked_from_conversation_id: original.id })
    expect(await fork.run('cat /proc/net/dev | grep -c eth', '/')).toBe('0')
  })
})

describe('what is refused', () => {
  it('is what a copy has already, an event without its conversation, and what is not there', async ({
    start,
    begin,
    service,
  }) => {
    const original = await start({})
    const forked = { forked_from_conversation_id: original.id }
    await expect(begin({ ...forked, sandbox_id: original.sandbox })).rejects.toThrow('Leave out sandbox_id.')
    await expect(begin({ ...forked, selected_repository: 'a/b', parent_conversation_id: original.id })).rejects.toThrow(
      'Leave out selected_repository, parent_conversation_id.',
    )
    await expect(begin({ forked_from_event_id: 'x' })).rejects.toThrow('Name the conversation')
    await expect(begin({ forked_from_conversation_id: '0'.repeat(32) })).rejects.toMatchObject({ status: 404 })
    const wrong = await startConversation(service, { ...forked, forked_from_event_id: 'nothing' })
    expect(wrong).toMatchObject({ status: 'ERROR', sandbox_id: null })
    expect(wrong.detail).toContain('There is no such event')
    await service.client.call(deleteSandbox, { params: { sandbox_id: original.sandbox } })
    const gone = await startConversation(service, forked)
    expect(gone).toMatchObject({ status: 'ERROR', detail: expect.stringContaining('gone') })
  })

  it('is a folder that lies in a mount of the spec, as the copy would be written to that', async ({
    service,
    start,
  }) => {
    const [shared, folder] = [newFolder(), newFolder().write({ 'a.txt': 'one\n' })]
    const [builtIn] = (await service.client.call(searchSandboxSpecs, { query: {} })).items
    const mounts = [{ host_path: shared.path, container_path: FOLDER, mode: 'rw' as const }]
    const body = { title: 'Shared', image: builtIn?.image ?? '', mounts }
    const { id } = await service.client.call(createSandboxSpec, { body })
    const source = { kind: 'folder' as const, path: folder.path, mode: 'in_place' as const, confirm_in_place: true }
    const original = await start({ sandbox_spec_id: id, source })
    const task = await startConversation(service, { forked_from_conversation_id: original.id })
    expect(task).toMatchObject({ status: 'ERROR', detail: expect.stringContaining('lie in one another') })
    expect(existsSync(join(shared.path, 'shop/a.txt'))).toBe(false)
  })

  it('leaves nothing when it is cancelled', async ({ start, begin, startOf, service }) => {
    const original = await start({})
    await original.run('head -c 300000000 /dev/urandom >big')
    const before = await images(original.sandbox)
    const task = await begin({ forked_from_conversation_id: original.id })
    await expect.poll(async () => (await startOf(task.id))?.sandbox_id).toBeTruthy()
    await service.client.call(cancelStartTask, { params: { task_id: task.id } })
    const sandboxes = await service.client.call(searchSandboxes, { query: {} })
    expect(sandboxes.items.filter(({ status }) => status === 'STARTING')).toEqual([])
    // The engine goes on with an image that it has begun.
    await new Promise(resolve => setTimeout(resolve, 3000))
    await expect.poll(() => images(original.sandbox)).toEqual(before)
    expect(await original.run('ls')).toBe('big')
  })
})
