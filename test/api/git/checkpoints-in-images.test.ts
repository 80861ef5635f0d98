import { describe, expect } from 'vitest'
import { getReviewFile } from '../../../server/api/v1/conversation/review.ts'
import { createSandboxSpec } from '../../../server/api/v1/sandbox/specs.ts'
import { createClient } from '../../../server/docker/client.ts'
import { PROGRAM_FOLDER } from '../../../server/git/checkpoint/programs.ts'
import { it as base, type Started } from '../../fixtures/checkpoints.ts'
import { busyboxImage } from '../../parts/engine/sandbox.ts'

const it = base.extend('busybox', { scope: 'file' }, async ({ service }) => {
  const client = createClient({ host: process.env.DOCKER_HOST ?? '', certificates: undefined })
  const image = await busyboxImage(client.docker)
  client.close()
  return (await service.client.call(createSandboxSpec, { body: { title: 'No git', image } })).id
})

const carried = ({ run }: Started) => run(`test -e ${PROGRAM_FOLDER}/complete && echo carried || echo none`)

describe('checkpoints where the image has no git', () => {
  it('are made, compared with, restored, and restored forward again', async ({
    busybox,
    start,
    list,
    restore,
    changed,
    service,
  }) => {
    const conversation = await start({ sandbox_spec_id: busybox })
    await conversation.work(
      `echo one >a.txt; mkdir sub; echo x >'sub/a name'; printf 'line\\r\\n' >bytes; ln -s a.txt link; chmod +x bytes; echo out >.gitignore; echo kept >out`,
      'cat a.txt',
      `echo two >a.txt; rm -r sub; rm link; mkdir link; echo in >link/in`,
    )
    const [last, first, begun] = await list(conversation)
    expect([last, first, begun].map(each => each?.reason)).toEqual(['step', 'step', 'turn'])
    const since = { base: 'checkpoint', checkpoint: first?.id }
    expect(await changed(conversation, since)).toEqual([
      'UPDATED a.txt',
      'DELETED link',
      'ADDED link/in',
      'DELETED sub/a name',
    ])
    const query = { path: 'a.txt', base: 'last_turn' as const }
    const file = await service.client.call(getReviewFile, { params: conversation.params, query })
    expect([file.original?.text, file.modified?.text]).toEqual([undefined, 'two\n'])
    await conversation.run('echo mine >mine.txt')
    const { before, files } = await restore(conversation, first?.id)
    expect(files).toBe(5)
    expect(
      await conversation.run(`cat a.txt 'sub/a name' link bytes out; [ -x bytes ] && [ ! -e mine.txt ] && ls`),
    ).toBe('one\nx\none\nline\r\nkept\na.txt\nbytes\nlink\nout\nsub')
    await restore(conversation, before.id)
    expect(await conversation.run('cat a.txt mine.txt link/in; ls')).toBe(
      'two\nmine\nin\na.txt\nbytes\nlink\nmine.txt\nout',
    )
    await restore(conversation, begun?.id)
    expect(await conversation.run('ls')).toBe('out')
    await conversation.seen.close()
  })

  it('go with a fork into a sandbox of its own', async ({ busybox, start, list, restore }) => {
    const conversation = await start({ sandbox_spec_id: busybox })
    await conversation.work('echo red >a.txt', 'echo blue >a.txt')
    const first = conversation.seen.of('ObservationEvent')[0]
    const fork = await start({
      forked_from_conversation_id: conversation.id,
      forked_from_event_id: first?.id ?? null,
    })
    expect([await fork.run('cat a.txt'), await conversation.run('cat a.txt')]).toEqual(['red', 'blue'])
    const begun = (await list(fork)).find(({ reason }) => reason === 'turn')
    await restore(fork, begun?.id)
    expect(await fork.run('ls')).toBe('')
    await fork.seen.close()
    await conversation.seen.close()
  })

  it('are made with programs that come again when the agent has removed them', async ({ busybox, start, list }) => {
    const conversation = await start({ sandbox_spec_id: busybox })
    await conversation.work('echo one >a.txt')
    expect(await carried(conversation)).toBe('carried')
    await conversation.work(`rm -r ${PROGRAM_FOLDER}; echo two >a.txt`, 'echo three >a.txt')
    expect(await list(conversation)).toHaveLength(5)
    expect(await carried(conversation)).toBe('carried')
    await conversation.seen.close()
  })

  it('are not made where such programs cannot be run, and the agent works on', async ({ busybox, start, list }) => {
    const conversation = await start({ sandbox_spec_id: busybox })
    await conversation.run(`mkdir -p ${PROGRAM_FOLDER}; echo >${PROGRAM_FOLDER}/complete`)
    await conversation.work('echo one >a.txt', 'echo two >a.txt')
    expect(await list(conversation)).toEqual([])
    expect(await conversation.run('cat a.txt')).toBe('two')
    await conversation.seen.close()
  })
})

describe('checkpoints where the image has git', () => {
  it('are made with its own programs', async ({ start, list }) => {
    const conversation = await start()
    await conversation.work('echo one >a.txt')
    expect(await list(conversation)).toHaveLength(2)
    expect(await carried(conversation)).toBe('none')
    await conversation.seen.close()
  })

  it('are made with ours where another program lacks what they take', async ({ start, list, restore }) => {
    const conversation = await start()
    const poor = 'case "$*" in *-z*) echo "unknown option" >&2; exit 1;; esac; exec /usr/bin/sed "$@"'
    await conversation.run(`printf '#!/bin/sh\\n%s\\n' '${poor}' >/usr/local/bin/sed; chmod +x /usr/local/bin/sed`)
    await conversation.work('git init -q tool; echo one >tool/a', 'echo two >tool/a; echo b >b')
    const [, first] = await list(conversation)
    await restore(conversation, first?.id)
    expect(await conversation.run('cat tool/a; ls')).toBe('one\ntool')
    expect(await carried(conversation)).toBe('carried')
    await conversation.seen.close()
  })
})
