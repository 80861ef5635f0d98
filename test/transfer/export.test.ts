import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../server/domain/errors.ts'
import type { ConversationId } from '../../server/domain/ids.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import {
  aComputer,
  type Computer,
  conversationWith,
  EVERYTHING,
  ended,
  exported,
  imported,
  said,
  textsOf,
} from './computer.ts'

let first: Computer
let second: Computer
beforeEach(() => {
  first = aComputer()
  second = aComputer()
})
afterEach(async () => {
  await first.remove()
  await second.remove()
})

describe('an export', () => {
  it('hides every key that a person has written into a conversation, and does without none of them', async () => {
    const { id } = conversationWith(first, 0)
    await first.settings.save({
      llm_api_key: 'canary-model-key',
      llm_fallback_api_key: 'canary-fallback-key',
      search_api_key: 'canary-search-key',
      mcp_config: {
        sse_servers: [],
        stdio_servers: [],
        shttp_servers: [{ url: 'https://tool.example/mcp', api_key: 'canary-tool-server' }],
      } as never,
    })
    await first.secrets.secrets.create({ name: 'ONE', value: 'canary-own-secret' })
    await first.secrets.tokens.merge({ github: { token: 'canary-git-token' } })
    await first.profiles.save('Fast', { model: 'openai/gpt-5', base_url: null, api_key: 'canary-profile-key' })
    await first.conversationSecrets.merge(id, { TWO: 'canary-of-conversation' })
    await first.hub.keep(id, {
      config: {
        sse_servers: [],
        stdio_servers: [],
        shttp_servers: [{ url: 'https://own.example/mcp', api_key: 'canary-own-server' }],
      } as never,
      namedBy: 'person',
    })
    await first.signIns.save('https://tool.example/mcp', {
      tokens: { access_token: 'canary-signed-in', token_type: 'bearer' },
    })
    const written = ['model-key', 'fallback-key', 'search-key', 'tool-server', 'own-secret', 'git-token', 'profile-key']
    const canaries = [...written, 'of-conversation', 'own-server', 'signed-in'].map(name => `canary-${name}`)
    first.eventLog.append(id, said(`Use ${canaries.join(' ')} there.`))
    // Only the keychain knows them: the service has started anew since.
    await first.leave()
    const again = aComputer(first.folder, first.vault)
    const text = await textsOf((await exported(again)).bytes)
    expect(text).toContain('Use <secret-hidden>')
    for (const canary of canaries) expect(text).not.toContain(canary)
    await again.leave()
  })

  it('is not written while the keychain cannot be read', async () => {
    await first.secrets.secrets.create({ name: 'ONE', value: 'canary-own-secret' })
    const locked = { ...first.vault, get: () => Promise.reject(new AppError('keychain_locked', 'Unlock it.')) }
    await first.leave()
    const again = aComputer(first.folder, locked)
    const shown = await ended(again, again.dataExports.start(EVERYTHING))
    expect(shown).toMatchObject({ state: 'failed', problem: 'Unlock it.' })
    await again.leave()
  })

  it('that is given up leaves nothing', async () => {
    conversationWith(first, 20_000)
    const { export_id } = first.dataExports.start(EVERYTHING)
    await expect
      .poll(() => readdirSync(join(first.folder, 'atelier-exports')).length, { interval: 5 })
      .toBeGreaterThan(0)
    await first.dataExports.delete(export_id)
    await expect.poll(() => readdirSync(join(first.folder, 'atelier-exports'))).toEqual([])
    expect(() => first.dataExports.get(export_id)).toThrow(/no such export/)
  })

  it('holds the state in which it was begun, and one at a time is written', async () => {
    const { id } = conversationWith(first, 20_000)
    const begun = first.dataExports.start(EVERYTHING)
    expect(() => first.dataExports.start(EVERYTHING)).toThrow(/already/)
    await expect.poll(() => first.dataExports.get(begun.export_id).progress.events, { interval: 5 }).toBeGreaterThan(0)
    first.eventLog.appendAll(id, [newEvent(0)])
    expect((await ended(first, begun)).progress).toMatchObject({ events: 20_000, events_total: 20_000 })
  })

  it('goes on past a log that the disk has damaged, and leaves its conversation out', async () => {
    const whole = conversationWith(first, 3, { title: 'Whole' })
    // At the end of its page: whoever looks for another event there does not come past it.
    const damaged = conversationWith(first, 3, { id: 'f'.repeat(32) as ConversationId })
    first.eventLog.append(damaged.id, said('X'.repeat(100_000)))
    first.database.run('PRAGMA wal_checkpoint(TRUNCATE)')
    breakChain(join(first.folder, 'atelier.db'))
    const { shown, bytes } = await exported(first)
    expect(shown).toMatchObject({ progress: { conversations: 1 }, left_out: { damaged_conversations: 1 } })
    expect((await imported(second, bytes)).result).toMatchObject({ added: { conversations: 1, events: 3 } })
    expect(second.conversations.get(whole.id)).toMatchObject({ title: 'Whole' })
  })

  it('whose file cannot be removed is forgotten all the same', async () => {
    const { shown } = await exported(first)
    const path = join(first.folder, 'atelier-exports', `${shown.export_id}.zip`)
    rmSync(path)
    mkdirSync(join(path, 'in the way'), { recursive: true })
    await first.dataExports.delete(shown.export_id)
    expect(() => first.dataExports.get(shown.export_id)).toThrow(/no such export/)
  })

  it('holds a notice in the place of what cannot be read, and leaves a damaged conversation out', async () => {
    const { id } = conversationWith(first, 3)
    const damaged = conversationWith(first, 1)
    first.database.run(`UPDATE event SET body = '{' WHERE conversation_id = ? AND seq = 1`, [id])
    first.database.run(`UPDATE conversation SET stats = 'x' WHERE id = ?`, [damaged.id])
    const { shown, bytes } = await exported(first)
    expect(shown.left_out.damaged_conversations).toBe(1)
    await imported(second, bytes)
    expect(second.eventLog.read(id, 0, 10).map(({ kind }) => kind)).toEqual(
      ['ActionEvent', 'AgentErrorEvent', 'ActionEvent'].map(kind =>
        kind === 'AgentErrorEvent' ? expect.stringMatching(/ErrorEvent$/) : kind,
      ),
    )
    expect(second.conversations.get(damaged.id)).toBeUndefined()
  })
})

/** Of the pages of a long row, whose first four bytes name the next one. */
function breakChain(file: string): void {
  const bytes = readFileSync(file)
  const pageBytes = bytes.readUInt16BE(16)
  for (let page = 0; page < bytes.length; page += pageBytes) {
    if (!bytes.subarray(page + 4, page + pageBytes).every(byte => byte === 0x58)) continue
    bytes.writeUInt32BE(0xffff_ffff, page)
    writeFileSync(file, bytes)
    return
  }
  throw new Error('No page is full of it.')
}
