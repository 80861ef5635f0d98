import { describe, expect } from 'vitest'
import {
  getReviewFile,
  listReviewFiles,
  revertReviewFile,
  undoReviewRevert,
} from '../../../server/api/v1/conversation/review.ts'
import { it } from '../../fixtures/checkpoints.ts'

describe('files that are kept', () => {
  it('are restored where pipes, sockets and devices stand in the place of files and folders', async ({
    start,
    list,
    restore,
  }) => {
    const conversation = await start()
    await conversation.work(
      'mkdir -p folder/in/it socket; echo 1 >folder/in/it/f; echo 1 >socket/f; echo 1 >device; echo 1 >file; echo 1 >link',
      'rm -r -- *; echo 2 >other',
    )
    const [, first] = await list(conversation)
    await conversation.run(
      `mkdir folder file; mkfifo folder/in file/pipe /tmp/pipe; ln -s /tmp/pipe link
       python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'; mknod device c 0 0; ls -l >&2`,
    )
    await restore(conversation, first?.id)
    const found = await conversation.run('cat folder/in/it/f socket/f device file link; test -p /tmp/pipe && ls')
    expect(found).toBe('1\n1\n1\n1\n1\ndevice\nfile\nfolder\nlink\nsocket')
    await conversation.seen.close()
  })

  it.for(['last_turn', 'last_commit'] as const)(
    'are reviewed since %s under names that are no UTF-8 too: read, reverted and put back',
    async (base, { start, service }) => {
      const conversation = await start()
      const { params } = conversation
      const names = ["'a\\351b'", "'literal \\\\xE9'", "'end\\n'"].map(name => `"$(printf ${name}; echo x)"`)
      // A substitution would take line ends away.
      const each = (command: string) => names.map(name => `name=${name}; name=\${name%x}; ${command}`).join('; ')
      const commit = 'git add -A; git -c user.name=a -c user.email=a@b.example commit -qm 1'
      await conversation.work(`git init -q .; ${each('echo one >"$name"')}; ${commit}`)
      await conversation.work(each('echo two >"$name"'))
      const { files } = await service.client.call(listReviewFiles, { params, query: { base } })
      const shown = ['a\\xE9b', 'end\n', 'literal \\x5CxE9']
      expect(files.map(({ path, additions }) => [path, additions])).toEqual(shown.map(path => [path, 1]))
      const undone = []
      for (const path of shown) {
        const read = await service.client.call(getReviewFile, { params, query: { path, base } })
        expect([read.original?.text, read.modified?.text]).toEqual(['one\n', 'two\n'])
        const body = { path, base, version: read.version }
        undone.push(await service.client.call(revertReviewFile, { params, body }))
      }
      expect(undone.map(({ undo }) => undo[0]?.path)).toEqual(shown.map(path => `/workspace/project/${path}`))
      expect(await conversation.run('cat ./*; ls | wc -l')).toBe('one\none\none\n4')
      for (const body of undone) await service.client.call(undoReviewRevert, { params, body })
      expect(await conversation.run('cat ./*')).toBe('two\ntwo\ntwo')
      await conversation.seen.close()
    },
  )
})
