import { describe, expect } from 'vitest'
import { listCheckpoints, restoreCheckpoint } from '../../../server/api/v1/conversation/checkpoints.ts'
import { sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import {
  getReviewFile,
  listReviewFiles,
  revertReviewFile,
  undoReviewRevert,
} from '../../../server/api/v1/conversation/review.ts'
import { FINISH, it, terminal } from '../../fixtures/checkpoints.ts'
import { said } from '../../parts/client/conversation.ts'

describe('checkpoints', () => {
  it('are made for each turn and each step that changed files, and bring the files back and forward', async ({
    start,
    list,
    restore,
  }) => {
    const conversation = await start()
    await conversation.work('echo one >a.txt; mkdir sub; echo x >sub/x', 'cat a.txt', 'echo two >a.txt; rm sub/x')
    const [last, first, begun] = await list(conversation)
    expect([last, first, begun].map(each => each?.reason)).toEqual(['step', 'step', 'turn'])
    expect(last?.seq).toBeGreaterThan(first?.seq ?? 0)
    await conversation.run('echo mine >mine.txt')
    const { before, files } = await restore(conversation, first?.id)
    expect(files).toBe(3)
    expect(await conversation.run('cat a.txt sub/x; ls')).toBe('one\nx\na.txt\nsub')
    await restore(conversation, before.id)
    expect(await conversation.run('cat a.txt mine.txt; ls')).toBe('two\nmine\na.txt\nmine.txt')
    await restore(conversation, begun?.id)
    expect(await conversation.run('ls')).toBe('')
    expect((await list(conversation)).map(({ reason }) => reason)).toEqual([
      ...['restored', 'restored', 'restored', 'before_restore'],
      ...['step', 'step', 'turn'],
    ])
    await conversation.seen.close()
  })

  it('hold what no repository would give back: bytes, modes, links, strange names, repositories inside', async ({
    start,
    list,
    restore,
  }) => {
    const conversation = await start()
    const names = `'-dash' ' lead' "$(printf 'line\\nbreak')" '*' 'ä\\b'`
    await conversation.work(
      `git config core.autocrlf true; printf '* text eol=crlf\\n*.f filter=evil\\n' >.gitattributes
       git config filter.evil.clean 'touch /tmp/ran; cat'; git config filter.evil.smudge 'touch /tmp/ran; cat'; git config core.hooksPath /tmp/hooks
       mkdir /tmp/hooks; printf '#!/bin/sh\\ntouch /tmp/ran\\n' >/tmp/hooks/post-checkout; chmod +x /tmp/hooks/post-checkout
       printf 'a\\r\\nb\\n' >mixed; printf x >y.f; head -c 300 /dev/urandom >bytes; touch -- ${names}; ln -s mixed link; touch run; chmod +x run
       git init -q tool; echo tool >tool/t; cd tool; git config user.name a; git config user.email a@b.example; echo 1 >both; git add both; git commit -qm 1; git checkout -qb other; echo 2 >both; git commit -qam 2; git checkout -q -; git rm -q both; git commit -qm 3; git merge -q other; cd ..; mkdir out; echo 'out/' >.gitignore; echo kept >out/o; head -c 11000000 /dev/zero >large`,
      'rm -rf -- * .gitattributes; mkdir link; echo no >link/no; git init -q tool; echo other >tool/u',
    )
    const sums = 'cksum mixed y.f bytes tool/t; ls -A; readlink link; test -x run && echo x; ls -A tool'
    const [, first] = await list(conversation)
    await conversation.run('mkdir -p out; echo kept >out/o')
    await restore(conversation, first?.id)
    const found = await conversation.run(`${sums}; cat out/o; test ! -e /tmp/ran || echo RAN; od -c mixed | head -2`)
    expect(found).toContain('a  \\r  \\n   b  \\n')
    expect(found).toMatch(/\nmixed\nx\n\.git\nboth\nt\nkept\n/)
    expect(found).not.toContain('RAN')
    for (const name of ['-dash', ' lead', '*', 'ä\\b']) expect(found.split('\n')).toContain(name)
    expect(found).not.toContain('large')
    await conversation.seen.close()
  })

  it('are made and restored where a link takes the place of a folder or leads to a repository', async ({
    start,
    list,
    restore,
  }) => {
    const conversation = await start()
    await conversation.work(
      'git init -q .; mkdir real; echo 1 >real/f; git add .; echo 1 >pipe; git init -q /tmp/elsewhere; echo e >/tmp/elsewhere/e',
      'mv real /tmp/real; ln -s /tmp/real real; ln -s . self; ln -s /tmp/elsewhere vendor; rm pipe; mkfifo pipe',
    )
    const [linked, first] = await list(conversation)
    expect(linked?.reason).toBe('step')
    await conversation.run('echo 2 >/tmp/real/f')
    await restore(conversation, first?.id)
    expect(await conversation.run('ls; cat real/f pipe /tmp/real/f /tmp/elsewhere/e')).toBe('pipe\nreal\n1\n1\n2\ne')
    await restore(conversation, linked?.id)
    expect(await conversation.run('ls; readlink real self vendor')).toBe(
      'real\nself\nvendor\n/tmp/real\n.\n/tmp/elsewhere',
    )
    await conversation.seen.close()
  })

  it('bring back what is ignored or large too where going back replaced it, and take no folder away with what they do not keep', async ({
    start,
    list,
    restore,
  }) => {
    const conversation = await start()
    await conversation.work('echo 1 >ignored; echo 1 >large; echo 1 >gone', 'rm ignored gone; echo ignored >.gitignore')
    const [, first] = await list(conversation)
    await conversation.run('echo precious >ignored; head -c 11000000 /dev/urandom >large; cksum large >/tmp/sum')
    const { before } = await restore(conversation, first?.id)
    expect(await conversation.run('cat ignored large')).toBe('1\n1')
    await restore(conversation, before.id)
    expect(await conversation.run('cat ignored; cksum large | cmp - /tmp/sum && echo same')).toBe('precious\nsame')
    await conversation.run(
      'git init -q gone; cd gone; git -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m w',
    )
    await expect(restore(conversation, first?.id)).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('gone/.git/'),
    })
    expect(await conversation.run('cat ignored; git -C gone log --format=%s')).toBe('precious\nw')
    await conversation.seen.close()
  })

  it('are what a review compares with: the last turn, and any of them', async ({ start, changed, list, service }) => {
    const conversation = await start()
    await conversation.work('echo one >a.txt; git init -q tool; echo t >tool/t')
    await conversation.work('echo two >>a.txt; echo new >tool/new', 'echo three >>a.txt')
    expect(await changed(conversation, { base: 'last_turn' })).toEqual(['UPDATED a.txt', 'ADDED tool/new'])
    const [, second, , first] = await list(conversation)
    expect(await changed(conversation, { base: 'checkpoint', checkpoint: second?.id })).toEqual(['UPDATED a.txt'])
    expect(await changed(conversation, { base: 'checkpoint', checkpoint: first?.id })).toHaveLength(2)
    const { params } = conversation
    const file = { path: 'a.txt', base: 'last_turn' as const }
    const read = await service.client.call(getReviewFile, { params, query: file })
    expect([read.original?.text, read.modified?.text]).toEqual(['one\n', 'one\ntwo\nthree\n'])
    const reverted = await service.client.call(revertReviewFile, { params, body: { ...file, version: read.version } })
    expect(await conversation.run('cat a.txt; git -C tool status --porcelain')).toBe('one\n?? new\n?? t')
    await service.client.call(undoReviewRevert, { params, body: reverted })
    expect(await conversation.run('cat a.txt')).toBe('one\ntwo\nthree')
    const nested = { path: 'tool/new', base: 'last_turn' as const }
    const { version } = await service.client.call(getReviewFile, { params, query: nested })
    const removed = await service.client.call(revertReviewFile, { params, body: { ...nested, version } })
    expect(await conversation.run('ls tool')).not.toContain('new')
    await service.client.call(undoReviewRevert, { params, body: removed })
    expect(await conversation.run('ls tool')).toContain('new')
    await conversation.run('echo n >tool/newer')
    const many = await Promise.all(Array.from({ length: 8 }, () => changed(conversation, { base: 'last_turn' })))
    for (const one of many) expect(one).toEqual(['UPDATED a.txt', 'ADDED tool/new', 'ADDED tool/newer'])
    const wrong = changed(conversation, { base: 'checkpoint', checkpoint: '999999' })
    await expect(wrong).rejects.toMatchObject({ code: 'bad_request' })
    await conversation.seen.close()
  })

  it('are restored only over the files for which it was shown what becomes of them', async ({
    start,
    list,
    service,
  }) => {
    const conversation = await start()
    await conversation.work('echo one >a.txt', 'echo two >a.txt')
    const [, first] = await list(conversation)
    const { params } = conversation
    const query = { base: 'checkpoint' as const, checkpoint: first?.id ?? '' }
    const shown = await service.client.call(listReviewFiles, { params, query })
    await conversation.run('echo since >b.txt')
    const restore = (version: string | null) =>
      service.client.call(restoreCheckpoint, {
        params: { ...params, checkpoint_id: first?.id ?? '' },
        query: { version },
      })
    await expect(restore(shown.version)).rejects.toMatchObject({ code: 'conflict' })
    expect(await conversation.run('cat a.txt b.txt')).toBe('two\nsince')
    await restore((await service.client.call(listReviewFiles, { params, query })).version)
    expect(await conversation.run('cat a.txt; ls')).toBe('one\na.txt')
    await conversation.seen.close()
  })

  it('are found by the event that the files belong to, with what a person did before the agent went on', async ({
    start,
    service,
    restore,
  }) => {
    const conversation = await start()
    const { seen } = conversation
    await conversation.work('echo one >a.txt', 'echo two >a.txt')
    await conversation.run('echo mine >mine.txt')
    await conversation.work('rm a.txt')
    const at = async (event: { id: string } | undefined) => {
      const query = { event_id: event?.id ?? '' }
      const found = await service.client.call(listCheckpoints, { params: conversation.params, query })
      expect(found.items).toHaveLength(1)
      await restore(conversation, found.items[0]?.id)
      return conversation.run('for f in *; do echo "$f: $(cat "$f" 2>/dev/null)"; done')
    }
    const [asked, askedAgain] = seen.of('MessageEvent').filter(({ source }) => source === 'user')
    const [first, second, finished] = seen.of('ObservationEvent')
    expect(await at(finished)).toBe('a.txt: two\nmine.txt: mine')
    expect(await at(askedAgain)).toBe('a.txt: two\nmine.txt: mine')
    expect(await at(first)).toBe('a.txt: one')
    expect(await at(second)).toBe('a.txt: two')
    expect(await at(asked)).toBe('*:')
    expect(await at(seen.of('ObservationEvent').at(-1))).toBe('mine.txt: mine')
    const unknown = service.client.call(listCheckpoints, { params: conversation.params, query: { event_id: 'x' } })
    await expect(unknown).rejects.toMatchObject({ code: 'event_not_found' })
    await seen.close()
  })

  it('are compared and restored without the file-system monitor that their own settings name', async ({
    start,
    list,
    changed,
    restore,
  }) => {
    const conversation = await start()
    const store = '"$HOME"/.local/share/atelier/checkpoints/*'
    await conversation.work('echo one >a.txt', 'echo two >a.txt')
    const [, first] = await list(conversation)
    await conversation.run(`git --git-dir=$(echo ${store}) config core.fsmonitor 'touch /tmp/ran; true'`)
    expect(await changed(conversation, { base: 'checkpoint', checkpoint: first?.id })).toEqual(['UPDATED a.txt'])
    await restore(conversation, first?.id)
    expect(await conversation.run('cat a.txt; ls /tmp/ran 2>/dev/null || true')).toBe('one')
    await conversation.seen.close()
  })

  it('are given up, and nothing else is, where a program calls itself git and prints without an end', async ({
    start,
    list,
  }) => {
    const conversation = await start()
    await conversation.work('echo one >a.txt')
    const floods = 'case "$*" in *write-tree) exec tr "\\\\0" x </dev/zero;; esac; exec /usr/bin/git "$@"'
    const pretend = `printf '#!/bin/sh\\n%s\\n' '${floods}' >/usr/local/bin/git; chmod +x /usr/local/bin/git`
    await conversation.work(pretend, 'echo two >a.txt')
    const before = await list(conversation)
    await conversation.work('echo three >a.txt')
    expect(await list(conversation)).toEqual(before)
    expect(await conversation.run('cat a.txt')).toBe('three')
    await conversation.seen.close()
  })

  it('are not restored while the agent works, and say so in words when the sandbox has lost them', async ({
    start,
    list,
    restore,
    model,
    service,
    changed,
  }) => {
    const conversation = await start()
    await conversation.work('echo one >a.txt')
    const [last] = await list(conversation)
    await expect(restore(conversation, 'x')).rejects.toMatchObject({ code: 'not_found' })
    await conversation.run('rm -rf "$HOME/.local/share/atelier"; echo two >a.txt')
    await expect(restore(conversation, last?.id)).rejects.toMatchObject({ code: 'git_refused' })
    expect(await conversation.run('cat a.txt')).toBe('two')
    model.setScript([terminal('sleep 20'), FINISH])
    await service.client.call(sendMessage, { params: conversation.params, body: said('Wait.') })
    await expect.poll(() => conversation.seen.of('ActionEvent').length).toBe(3)
    await expect(restore(conversation, last?.id)).rejects.toMatchObject({ code: 'conversation_running' })
    await expect.poll(() => changed(conversation, { base: 'last_turn' })).toEqual([])
    await conversation.seen.close()
  })
})
