import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { listCheckpoints } from '../../../server/api/v1/conversation/checkpoints.ts'
import { createSandboxSpec } from '../../../server/api/v1/sandbox/specs.ts'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { Database } from '../../../server/store/database/database.ts'
import { it } from '../../fixtures/checkpoints.ts'
import { defaultImage } from '../../parts/engine/sandbox.ts'
import { smallDisk } from '../../parts/engine/small-disk.ts'

const STORE = '"$HOME"/.local/share/atelier/checkpoints/*'

describe('the checkpoints of a conversation', () => {
  it('lose the oldest when they take too much, and every one that is listed can be restored', async ({
    start,
    list,
    restore,
    service,
  }) => {
    const conversation = await start()
    await conversation.work(...[1, 2, 3, 4].map(each => `echo "first ${each}" >a.txt`))
    await conversation.work(...[1, 2, 3, 4].map(each => `echo "second ${each}" >a.txt`))
    const before = await list(conversation)
    expect(before).toHaveLength(10)
    // What the second step kept grows beyond the bound, and so does what is counted.
    const large = BOUNDS.checkpointStore.limit + 1
    const blob = `blob=$(echo 'first 2' | git hash-object --stdin); file=$(echo objects/$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-))`
    const grown = await conversation.run(
      `cd ${STORE}; ${blob}; chmod u+w $file; fallocate -l ${large} $file && echo 99999999 >grown && git --git-dir=. count-objects | cut -d, -f1`,
    )
    expect(grown).toMatch(/^\d+ objects$/)
    await conversation.work('echo third >a.txt')
    const after = await list(conversation)
    const lost = before.filter(({ id }) => !after.some(each => each.id === id))
    // The beginning of the conversation, and the oldest after it, up to the large one.
    expect(lost.length).toBeGreaterThanOrEqual(2)
    expect(lost).toEqual(before.slice(-1 - lost.length, -1))
    expect(await conversation.run(`cd ${STORE}; ${blob}; ls $file 2>/dev/null; du -sm objects | cut -f1`)).toMatch(
      /^\d$/,
    )
    const shown: string[] = []
    for (const { id } of [...after].reverse()) {
      await restore(conversation, id)
      shown.push(await conversation.run('cat a.txt 2>/dev/null || echo nothing'))
    }
    expect(shown[0]).toBe('nothing')
    expect(shown.slice(-3)).toEqual(['second 4', 'second 4', 'third'])
    expect(shown).not.toContain('first 2')
    const query = { event_id: conversation.seen.of('ObservationEvent')[1]?.id ?? '' }
    const found = await service.client.call(listCheckpoints, { params: conversation.params, query })
    expect(found.items).toEqual([])
    await conversation.seen.close()
  })

  it('are no more than so many, those of the beginning and of the last turn among them', async ({
    start,
    list,
    restore,
    service,
  }) => {
    const conversation = await start()
    for (const name of ['one', 'two']) await conversation.work(`echo ${name} >a.txt`)
    await conversation.seen.close()
    const begun = (await list(conversation)).at(-1)
    const { limit } = BOUNDS.checkpoints
    const inDatabase = (work: (database: Database) => void) =>
      service.restart(() => {
        const database = Database.open(join(service.dataDir, 'atelier.db'))
        work(database)
        database.close()
      })
    const copy = `INSERT INTO checkpoint (conversation_id, seq, created_at, tree, reason)
      SELECT conversation_id, seq, created_at, tree, 'step' FROM checkpoint WHERE conversation_id = ? AND reason = 'step'`
    await inDatabase(database => {
      for (let count = 2; count < limit; count *= 2) database.run(copy, [conversation.id])
    })
    await restore(conversation, begun?.id)
    const reasons: unknown[] = []
    await inDatabase(database => {
      const sql = 'SELECT reason FROM checkpoint WHERE conversation_id = ? ORDER BY id'
      reasons.push(...database.all(sql, [conversation.id]).map(({ reason }) => reason))
    })
    expect(reasons).toHaveLength(limit)
    expect([...reasons.slice(0, 3), reasons.at(-1)]).toEqual(['turn', 'turn', 'step', 'restored'])
    expect(await conversation.run('ls')).toBe('')
  })

  it('are given up where the disk is full, and leave it to the agent and to those that were made', async ({
    start,
    list,
    restore,
    service,
    onTestFinished,
  }) => {
    const disk = smallDisk(24)
    onTestFinished(() => disk.remove())
    const mounts = [{ host_path: disk.folder, container_path: '/home/small', mode: 'rw' as const }]
    const body = { title: 'Small', initial_env: { HOME: '/home/small' }, mounts, image: defaultImage() }
    const { id } = await service.client.call(createSandboxSpec, { body })
    const conversation = await start({ sandbox_spec_id: id })
    await conversation.work('echo one >a.txt', 'echo two >a.txt')
    const before = await list(conversation)
    expect(before).toHaveLength(3)
    await conversation.work('for i in 1 2 3 4 5 6; do head -c 8000000 /dev/urandom >$i; done', 'echo three >a.txt')
    expect(await list(conversation)).toHaveLength(4)
    expect(await conversation.run('cat a.txt; df -m --output=used "$HOME" | tail -1')).toMatch(/^three\n *\d$/)
    await conversation.run('rm 1 2 3 4 5 6')
    await restore(conversation, before[1]?.id)
    expect(await conversation.run('cat a.txt')).toBe('one')
    await conversation.seen.close()
  })
})
