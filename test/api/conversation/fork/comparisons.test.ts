import { describe, expect } from 'vitest'
import { restoreCheckpoint } from '../../../../server/api/v1/conversation/checkpoints.ts'
import { getComparedFile } from '../../../../server/api/v1/conversation/comparisons.ts'
import { sendMessage } from '../../../../server/api/v1/conversation/conversations.ts'
import { deleteSandbox, pauseSandbox } from '../../../../server/api/v1/sandbox/sandboxes.ts'
import { call, it, lines } from '../../../fixtures/comparisons.ts'
import { said } from '../../../parts/client/conversation.ts'
import { watch } from '../../../parts/client/watch.ts'

const BEGIN =
  'printf "1\\n2\\n3\\n" >both; echo a >mine; mkdir -p deep/er; echo t >deep/er/theirs; echo content >old; echo s >same; touch kept'

describe('two conversations that go on from the same files', () => {
  it('are compared file by file: what each has changed, where they differ, and what is the same', async ({
    start,
    fork,
    compare,
    read,
    service,
  }) => {
    const original = await start({ title: 'Original' })
    await original.work(BEGIN)
    const [one, two] = [await fork(original.id, 'One'), await fork(original.id, 'Two')]
    await one.work('printf "1\\none\\n3\\n" >both; rm mine; echo S >same; head -c 300 /dev/zero >bytes; echo n >"ä b"')
    await two.work('printf "1\\n2\\ntwo\\n" >both; echo more >>deep/er/theirs; echo S >same; mv old deep/new')
    const { files, complete, has_common_files } = await compare(one, two)
    expect({ complete, has_common_files }).toEqual({ complete: true, has_common_files: true })
    expect(lines(files)).toEqual([
      'differs both UPDATED UPDATED',
      'only_here bytes ADDED -',
      'differs deep/er/theirs - UPDATED',
      'only_there mine DELETED -',
      'moved old deep/new - ADDED',
      'same same UPDATED UPDATED',
      'only_here ä b ADDED -',
    ])
    expect(files[0]?.here).toEqual({ status: 'UPDATED', additions: 1, deletions: 1 })
    expect(files[1]?.here).toEqual({ status: 'ADDED', additions: null, deletions: null })
    expect(await read(one, two, { path: 'both' })).toEqual(['1\none\n3\n', '1\n2\ntwo\n'])
    expect(await read(one, two, { path: 'both', sides: 'here' })).toEqual(['1\n2\n3\n', '1\none\n3\n'])
    expect(await read(one, two, { path: 'both', sides: 'there' })).toEqual(['1\n2\n3\n', '1\n2\ntwo\n'])
    expect(await read(one, two, { path: 'ä b' })).toEqual(['n\n', null])
    expect(await read(one, two, { path: 'old' })).toEqual(['content\n', 'content\n'])
    expect(lines((await compare(one, one)).files)).toEqual([])
    await two.run('echo 4 >>both')
    const params = { conversation_id: one.id, other_conversation_id: two.id }
    const version = files[0]?.version ?? ''
    const seen = await service.client.call(getComparedFile, { params, query: { path: 'both', version } })
    // What was seen stays what it was.
    expect([seen.original?.text, seen.modified?.text]).toEqual(['1\none\n3\n', '1\n2\ntwo\n'])
    const unknown = { path: 'both', version: `${'1'.repeat(40)}.${'2'.repeat(40)}.-.-` }
    const lost = service.client.call(getComparedFile, { params, query: unknown })
    await expect(lost).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Compare again.') })
  })

  it('are taken from a fork into the original, file by file, and taken back', async ({
    pair,
    compare,
    take,
    service,
  }) => {
    const { original, copy } = await pair(BEGIN)
    await copy.work(
      'printf "1\\nfork\\n3\\n" >both; rm mine; mkdir d; printf "#!/bin/sh\\n" >d/run; chmod +x d/run; mv old d/moved',
    )
    await original.run('echo since >kept; printf "1\\n2\\nhere\\n" >both')
    const { files, version } = await compare(original, copy)
    expect(lines(files)).toEqual([
      'differs both UPDATED UPDATED',
      'only_there d/run - ADDED',
      'differs kept UPDATED -',
      'only_here mine - DELETED',
      'moved old d/moved - ADDED',
    ])
    const { before, files: count } = await take(original, copy, { version, paths: ['d/run', 'mine', 'old', 'both'] })
    expect(count).toBe(5)
    expect(await original.run('cat both kept; ls -R; test -x d/run && echo x')).toBe(
      '1\nfork\n3\nsince\n.:\nboth\nd\ndeep\nkept\nsame\n\n./d:\nmoved\nrun\n\n./deep:\ner\n\n./deep/er:\ntheirs\nx',
    )
    const after = await compare(original, copy)
    expect(lines(after.files.filter(({ state }) => state !== 'same'))).toEqual(['differs kept UPDATED -'])
    await service.client.call(restoreCheckpoint, {
      params: { conversation_id: original.id, checkpoint_id: before.id },
    })
    expect(await original.run('cat both kept mine old; ls')).toBe(
      '1\n2\nhere\nsince\na\ncontent\nboth\ndeep\nkept\nmine\nold\nsame',
    )
  })

  it('are not taken when they have changed since, nor while an agent works, and nothing is written then', async ({
    pair,
    compare,
    take,
    service,
    model,
  }) => {
    const { original, copy } = await pair('echo 1 >a')
    await copy.work('echo 2 >a')
    const seen = await compare(original, copy)
    await copy.run('echo 3 >a')
    const late = take(original, copy, { version: seen.version, paths: ['a'] })
    await expect(late).rejects.toMatchObject({ code: 'conflict' })
    const { version } = await compare(original, copy)
    await expect(take(original, copy, { version, paths: ['nothing'] })).rejects.toMatchObject({ code: 'conflict' })
    model.setScript([call('terminal', { command: 'echo 4 >a' }), call('terminal', { command: 'sleep 600' })])
    const events = await watch(service, copy.id)
    await service.client.call(sendMessage, { params: { conversation_id: copy.id }, body: said('Go on.') })
    await events.until(frame => JSON.stringify(frame).includes('sleep 600'))
    // What an agent at work has done up to its last step is shown.
    const atWork = await compare(original, copy)
    expect(lines(atWork.files)).toEqual(['differs a - UPDATED'])
    const during = take(original, copy, { version: atWork.version, paths: ['a'] })
    await expect(during).rejects.toMatchObject({
      code: 'conversation_running',
      message: expect.stringContaining('Copy'),
    })
    await events.close()
    expect(await original.run('cat a')).toBe('1')
  })

  it('say which of them has no sandbox that runs', async ({ pair, compare, service }) => {
    const { original, copy } = await pair('echo 1 >a')
    await service.client.call(pauseSandbox, { params: { sandbox_id: copy.sandbox } })
    const paused = compare(original, copy)
    await expect(paused).rejects.toMatchObject({
      code: 'sandbox_not_running',
      message: expect.stringMatching(/^“Copy”: /),
    })
    await service.client.call(deleteSandbox, { params: { sandbox_id: copy.sandbox } })
    const gone = compare(original, copy)
    await expect(gone).rejects.toMatchObject({ code: 'sandbox_not_found', message: expect.stringMatching(/^“Copy”: /) })
  })

  it('are compared whole where they never had files in common', async ({ start, compare, read }) => {
    const [one, two] = [await start({ title: 'One' }), await start({ title: 'Two' })]
    await one.run('echo 1 >a; mkdir x; echo y >x/y')
    await two.run('echo 2 >a; echo x >x')
    const { files, has_common_files } = await compare(one, two)
    expect(has_common_files).toBe(false)
    expect(lines(files)).toEqual(['differs a - -', 'only_there x - -', 'only_here x/y - -'])
    const alone = read(one, two, { path: 'a', sides: 'here' })
    await expect(alone).rejects.toMatchObject({ code: 'bad_request' })
  })
})
