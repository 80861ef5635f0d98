import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { aConversation } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { aComputer, type Computer, checked, exported, settled } from './computer.ts'

const ALONE = { settings: false, passphrase: null }

let first: Computer
let other: Computer
let second: Computer
beforeEach(() => {
  first = aComputer()
  other = aComputer()
  second = aComputer()
})
afterEach(async () => {
  await Promise.all([first, other, second].map(computer => computer.remove()))
})

async function aFile(computer: Computer, count: number) {
  const { id } = aConversation()
  computer.conversations.insert(aConversation({ id }))
  computer.eventLog.appendAll(
    id,
    Array.from({ length: count }, (_, index) => newEvent(index)),
  )
  return { id, bytes: (await exported(computer)).bytes }
}

function gate() {
  let open: () => void = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

/** A file whose last byte comes when it is asked for. */
function slowly(bytes: Buffer) {
  const { open, opened } = gate()
  async function* content() {
    yield bytes.subarray(0, -1)
    await opened
    yield bytes.subarray(-1)
  }
  const received = second.dataImports.receive(content(), 'slow.zip', new AbortController().signal)
  return { received, finish: open }
}

/** Imports go on when it is called. */
function holdImports(): () => void {
  const { open, opened } = gate()
  const make = second.backups.make.bind(second.backups)
  second.backups.make = async kind => {
    await opened
    return make(kind)
  }
  return open
}

const files = () => readdirSync(join(second.folder, 'atelier-imports'))

describe('of several files', () => {
  it('one at a time is added, and neither is mixed with the other', async () => {
    const large = await aFile(first, 450)
    const small = await aFile(other, 3)
    const one = await checked(second, large.bytes)
    const goOn = holdImports()
    const slow = slowly(small.bytes)
    await second.dataImports.start(one.import_id, ALONE)
    slow.finish()
    const two = await slow.received
    await expect.poll(() => second.dataImports.get(two.import_id).state, { interval: 2 }).toBe('checked')
    await expect(second.dataImports.start(two.import_id, ALONE)).rejects.toThrow(/Another file is being imported/)
    goOn()
    expect((await settled(second, one)).state).toBe('imported')
    await second.dataImports.start(two.import_id, ALONE)
    expect(await settled(second, two)).toMatchObject({ state: 'imported', result: { added: { events: 3 } } })
    expect(second.eventLog.lastSeq(large.id)).toBe(449)
    expect(second.eventLog.lastSeq(small.id)).toBe(2)
    expect(second.deletions.all()).toEqual([])
    expect(files()).toEqual([])
  })

  it('the newest that can be added is kept, and one that cannot takes none away', async () => {
    const { bytes } = await aFile(first, 1)
    const one = await checked(second, bytes)
    expect((await checked(second, Buffer.from('no archive'))).state).toBe('failed')
    expect(second.dataImports.get(one.import_id).state).toBe('checked')
    const two = await checked(second, bytes)
    await expect.poll(() => files(), { interval: 2 }).toEqual([`${two.import_id}.zip`])
    expect(() => second.dataImports.get(one.import_id)).toThrow(/no such import/)
  })
})

describe('an import', () => {
  it('that was deleted while its passphrase was tried does not begin', async () => {
    await first.secrets.secrets.create({ name: 'MINE', value: 'mine-alone-123' })
    const { bytes } = await exported(first, { passphrase: 'correct horse battery' })
    const { import_id } = await checked(second, bytes)
    const begun = second.dataImports.start(import_id, { settings: false, passphrase: 'correct horse battery' })
    const refused = expect(begun).rejects.toThrow(/given up/)
    await second.dataImports.delete(import_id)
    await refused
    expect(second.backups.list()).toEqual([])
  })

  it('that was stopped is forgotten by itself', async () => {
    const { bytes } = await aFile(first, 1)
    const one = await checked(second, bytes)
    const goOn = holdImports()
    await second.dataImports.start(one.import_id, ALONE)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const cleared = vi.spyOn(globalThis, 'clearTimeout')
    const ended = second.dataImports.delete(one.import_id)
    goOn()
    await ended
    expect(second.dataImports.get(one.import_id).state).toBe('stopped')
    const lasting = timers.mock.results
      .map(({ value }) => value as NodeJS.Timeout)
      .filter((_, index) => timers.mock.calls[index]?.[1] === BOUNDS.dataFileAge.limit)
      .filter(timer => !cleared.mock.calls.some(([one]) => one === timer))
    expect(lasting).toHaveLength(1)
    vi.restoreAllMocks()
  })

  it('whose file cannot be removed has succeeded all the same', async () => {
    const { id, bytes } = await aFile(first, 1)
    const one = await checked(second, bytes)
    const file = join(second.folder, 'atelier-imports', `${one.import_id}.zip`)
    const takeOver = second.eventLog.takeOver.bind(second.eventLog)
    second.eventLog.takeOver = (...events) => {
      takeOver(...events)
      // Nobody removes a folder as a file.
      rmSync(file)
      mkdirSync(join(file, 'inner'), { recursive: true })
    }
    await second.dataImports.start(one.import_id, ALONE)
    expect((await settled(second, one)).state).toBe('imported')
    expect(second.eventLog.lastSeq(id)).toBe(0)
    await second.dataImports.delete(one.import_id)
  })
})
