import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AppError } from '../../server/domain/errors.ts'
import { newConversationId } from '../../server/domain/ids.ts'
import { smallDisk } from '../parts/engine/small-disk.ts'
import { aConversation } from '../parts/service/store.ts'
import { AT, aFile } from './a-file.ts'
import { aComputer, type Computer, checked, conversationWith, ended, exported, imported, textsOf } from './computer.ts'

const WITH_FOLDERS = { passphrase: null, workingFolders: true }

/** What a sandbox gives as a tar, by its id; undefined where it is gone. */
const folders = new Map<string, () => Readable>()
const asked: string[][] = []
const sandboxes = {
  readFolder: async (id: string, path: string) => {
    asked.push([id, path])
    const found = folders.get(id)
    if (found) return found()
    if (id === 'atelier-gone') throw new AppError('sandbox_not_found', 'The sandbox is gone.')
    throw new AppError('engine_unavailable', 'The engine does not answer.', {
      cause: Object.assign(new Error('no'), { code: 'EACCES' }),
    })
  },
}

let first: Computer
let second: Computer
beforeEach(() => {
  folders.clear()
  asked.length = 0
  first = aComputer(undefined, undefined, sandboxes)
  second = aComputer()
})
afterEach(async () => {
  await first.remove()
  await second.remove()
})

it('go along where they were asked for, and are kept with their conversations on the other computer', async () => {
  const bytes = randomBytes(3_000_000)
  folders.set('atelier-here', () => Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)]))
  const one = conversationWith(first, 3, { sandbox_id: 'atelier-here', working_dir: '/workspace/tool' })
  const gone = conversationWith(first, 3, { sandbox_id: 'atelier-gone', title: 'Gone' })
  conversationWith(first, 1, { sandbox_id: 'atelier-away', title: null })
  conversationWith(first, 1, { sandbox_id: 'atelier-mounted', mounted_folder: '/home/ada/tool' })
  conversationWith(first, 1, { sandbox_id: '' })
  conversationWith(first, 1, { sandbox_id: 'atelier-here', parent_conversation_id: one.id })

  const without = await exported(first)
  expect(asked).toEqual([])
  expect(await textsOf(without.bytes)).toMatch(/"version":1\b/)
  const { shown, bytes: file } = await exported(first, { workingFolders: true })
  expect(asked.sort()).toEqual([
    ['atelier-away', '/workspace/project'],
    ['atelier-gone', '/workspace/project'],
    ['atelier-here', '/workspace/tool'],
  ])
  expect(shown.progress).toMatchObject({ folders: 1, folders_total: 1 })
  expect(shown.left_out.working_folders).toEqual([expect.stringMatching(/: The engine does not answer\.$/)])
  expect(readdirSync(join(first.folder, 'atelier-exports'))).toHaveLength(2)

  expect((await checked(second, file)).contents).toMatchObject({ working_folders: 1 })
  expect(await imported(second, file)).toMatchObject({ state: 'imported' })
  expect((await buffer(second.importedFolders.open(one.id))).equals(bytes)).toBe(true)
  expect(second.importedFolders.has(gone.id)).toBe(false)
  expect(readdirSync(join(second.folder, 'atelier-imports'))).toEqual([])

  const on = await exported(second, { workingFolders: true })
  const third = aComputer()
  await imported(third, on.bytes)
  expect((await buffer(third.importedFolders.open(one.id))).equals(bytes)).toBe(true)
  await third.remove()
})

it('of a conversation that is here already stay out', async () => {
  folders.set('atelier-here', () => Readable.from([randomBytes(1000)]))
  const { id } = conversationWith(first, 1, { sandbox_id: 'atelier-here' })
  second.conversations.insert(aConversation({ id }))
  const { bytes } = await exported(first, { workingFolders: true })
  expect((await imported(second, bytes)).result?.kept.conversations).toBe(1)
  expect(second.importedFolders.has(id)).toBe(false)
})

it('come later where a conversation came without its own and was not gone on with', async () => {
  folders.set('atelier-here', () => Readable.from([randomBytes(1000)]))
  const lone = conversationWith(first, 1, { sandbox_id: 'atelier-here' })
  const goneOn = conversationWith(first, 1, { sandbox_id: 'atelier-here' })
  await imported(second, (await exported(first)).bytes)
  second.conversations.update(goneOn.id, { sandbox_id: 'atelier-new' })
  const { bytes } = await exported(first, { workingFolders: true })
  const { result, progress } = await imported(second, bytes)
  expect(result).toMatchObject({ added: { conversations: 0 }, kept: { conversations: 2 }, working_folders: 1 })
  expect(progress).toMatchObject({ conversations: 0 })
  expect([lone, goneOn].map(({ id }) => second.importedFolders.has(id))).toEqual([true, false])
  expect((await imported(second, bytes)).result?.working_folders).toBe(0)
})

/** Only root may mount a disk. */
it.skipIf(process.getuid?.() !== 0)('that find no room on the disk are refused before anything is added', async () => {
  folders.set('atelier-here', () => Readable.from([randomBytes(1_000_000)]))
  conversationWith(first, 1, { sandbox_id: 'atelier-here' })
  const { bytes } = await exported(first, { workingFolders: true })
  const disk = smallDisk(900)
  const small = aComputer(join(disk.folder, 'data'))
  const { import_id } = await checked(small, bytes)
  const start = () => small.dataImports.start(import_id, { settings: false, passphrase: null })
  await expect(start()).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringMatching(/take 1 MiB.*\d MiB left/),
  })
  expect(small.dataImports.get(import_id).state).toBe('checked')
  await small.dataImports.start(import_id, { settings: false, conversations: false, passphrase: null })
  await expect.poll(() => small.dataImports.get(import_id).state).toBe('imported')
  await small.remove()
  disk.remove()
})

it('that come half are left out', async () => {
  folders.set('atelier-half', () => {
    let pieces = 0
    return new Readable({
      read() {
        if (pieces++ < 3) this.push(randomBytes(1000))
        else this.destroy(new AppError('command_failed', 'What was being read in the sandbox was cut off. Try again.'))
      },
    })
  })
  conversationWith(first, 1, { sandbox_id: 'atelier-half', title: 'Half' })
  const { shown } = await exported(first, { workingFolders: true })
  expect(shown.left_out.working_folders).toEqual(['Half: What was being read in the sandbox was cut off. Try again.'])
  expect(shown.progress).toMatchObject({ folders: 0, folders_total: 0 })
})

it('that never come are given up with the export, and nothing is left', async () => {
  folders.set('atelier-slow', () => new Readable({ read() {} }))
  conversationWith(first, 1, { sandbox_id: 'atelier-slow' })
  const begun = first.dataExports.start(WITH_FOLDERS)
  const { export_id } = begun
  await expect.poll(() => first.dataExports.get(export_id).progress.folders_total).toBe(1)
  await first.dataExports.delete(export_id)
  expect(readdirSync(join(first.folder, 'atelier-exports'))).toEqual([])
  expect(await ended(first, first.dataExports.start({ ...WITH_FOLDERS, workingFolders: false }))).toMatchObject({
    state: 'ready',
  })
})

const ID = newConversationId()
const CONVERSATION = {
  [`conversations/${ID}.jsonl`]: `${JSON.stringify({ conversation: { id: ID, created_at: AT, updated_at: AT } })}\n`,
}

const FOLDER = `working-folders/${ID}.tar`

it.each<[string, Record<string, string>, string | RegExp]>([
  ['of no conversation', { [`working-folders/${newConversationId()}.tar`]: 'tar' }, 'not in it'],
  ['with another name', { 'working-folders/evil.tar': 'tar' }, 'no export has'],
  ['with a name that leads elsewhere', { 'working-folders/../evil.tar': 'tar' }, 'invalid relative path'],
])('a file with a folder %s is refused', async (_what, part, problem) => {
  expect(await checked(second, await aFile({ ...CONVERSATION, ...part }, { version: 2 }))).toMatchObject({
    state: 'failed',
    problem: expect.stringMatching(problem),
  })
})

it('a file whose folder was changed is refused', async () => {
  const parts = Object.entries({ ...CONVERSATION, [FOLDER]: 'rat' }).map(([name, text]) => ({
    name,
    bytes: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
  }))
  const changed = await aFile({ ...CONVERSATION, [FOLDER]: 'tar' }, { version: 2, parts })
  expect(await checked(second, changed)).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining(`${FOLDER} is not what was exported`),
  })
})
