import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SmallDisk, smallDisk } from '../parts/engine/small-disk.ts'
import { aConversation } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { aComputer, type Computer, checked, EVERYTHING, ended, exported } from './computer.ts'

/** Only root may mount a disk. */
describe.skipIf(process.getuid?.() !== 0)('on a disk without space', () => {
  let disk: SmallDisk
  let computer: Computer
  beforeEach(() => {
    disk = smallDisk(24)
    const folder = join(disk.folder, 'data')
    mkdirSync(folder)
    computer = aComputer(folder)
    const { id } = aConversation()
    computer.conversations.insert(aConversation({ id }))
    // What cannot be packed tighter than a disk is small.
    for (let count = 0; count < 6; count++) {
      const content = [{ type: 'text' as const, text: randomBytes(700_000).toString('base64') }]
      const said = {
        kind: 'MessageEvent' as const,
        source: 'user' as const,
        llm_message: { role: 'user' as const, content },
      }
      computer.eventLog.appendAll(id, [{ ...said, activated_skills: [], extended_content: [] }, newEvent(0)])
    }
  })
  afterEach(async () => {
    disk.free()
    await computer.remove()
    disk.remove()
  })

  const left = (folder: string) => readdirSync(join(computer.folder, folder))

  it('an export that finds no space says so and leaves nothing, and works once there is some', async () => {
    disk.fill()
    const begun = computer.dataExports.start(EVERYTHING)
    const failed = await ended(computer, begun)
    expect(failed).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/too full.*Nothing was exported.*Free some space/),
    })
    expect(left('atelier-exports')).toEqual([])
    disk.free()
    expect((await exported(computer)).shown.state).toBe('ready')
  })

  it('a file that finds no space is refused, and leaves nothing', async () => {
    const { shown, bytes } = await exported(computer)
    await computer.dataExports.delete(shown.export_id)
    disk.fill()
    await expect(checked(computer, bytes)).rejects.toMatchObject({
      code: 'disk_full',
      message: expect.stringContaining('Nothing was imported'),
    })
    expect(left('atelier-imports')).toEqual([])
  })

  it('an import that finds no space for its backup has changed nothing', async () => {
    const other = aComputer()
    other.conversations.insert(aConversation())
    const { import_id } = await checked(computer, (await exported(other)).bytes)
    await other.remove()
    disk.fill()
    await computer.dataImports.start(import_id, { settings: false, passphrase: null })
    await expect.poll(() => computer.dataImports.get(import_id).state).toBe('failed')
    expect(computer.dataImports.get(import_id)).toMatchObject({
      result: null,
      problem: expect.stringContaining('space'),
    })
  })
})
