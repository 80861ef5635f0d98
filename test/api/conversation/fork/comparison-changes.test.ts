import { describe, expect } from 'vitest'
import { getComparedFile } from '../../../../server/api/v1/conversation/comparisons.ts'
import { sendMessage } from '../../../../server/api/v1/conversation/conversations.ts'
import { createSecret } from '../../../../server/api/v1/settings/secrets.ts'
import { call, it, lines } from '../../../fixtures/comparisons.ts'
import { said } from '../../../parts/client/conversation.ts'
import { watch } from '../../../parts/client/watch.ts'

const STORE = '"$HOME"/.local/share/atelier/checkpoints/*'

/** Puts a program of git's name in its place, which does something when it is asked for some things. */
const pretending = (cases: string) =>
  `cat >/usr/local/bin/git <<'END'
#!/bin/sh
case "$*" in
${cases}
esac
exec /usr/bin/git "$@"
END
chmod +x /usr/local/bin/git`

/** In the sandbox: until a command succeeds. */
const until = (command: string) => `timeout 60 sh -c 'until ${command}; do sleep 0.1; done' || echo late`

describe('files that are taken from another conversation', () => {
  it('are not taken when something is written while they are brought over, and that stays', async ({
    pair,
    compare,
    take,
  }) => {
    const { original, copy } = await pair('echo 1 >a; echo 1 >b; echo 1 >c')
    await copy.work('echo 2 >a; echo 2 >c')
    const { version } = await compare(original, copy)
    await original.run(pretending('*unpack-objects*) echo written >/workspace/project/b;;'))
    const late = take(original, copy, { version, paths: ['a'] })
    await expect(late).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('nothing was changed'),
    })
    expect(await original.run('cat a b c')).toBe('1\nwritten\n1')
  })

  it('replace nothing that is written in the last moment, and leave other files that are', async ({
    pair,
    compare,
    take,
  }) => {
    const { original, copy } = await pair('echo 1 >a; echo 1 >b; echo 1 >c')
    await copy.work('echo 2 >a; echo 2 >c; echo 2 >new')
    const { version } = await compare(original, copy)
    const atLast = (file: string) =>
      pretending(`*read-tree*-u*) [ -e /tmp/done ] || echo written >/workspace/project/${file}; touch /tmp/done;;`)
    for (const file of ['a', 'new']) {
      await original.run(atLast(file))
      const late = take(original, copy, { version, paths: ['a', 'new'] })
      await expect(late).rejects.toMatchObject({ code: 'conflict' })
      expect(await original.run(`cat ${file}; rm -f new /tmp/done /usr/local/bin/git; echo 1 >a; ls`)).toBe(
        'written\na\nb\nc',
      )
    }
    await original.run(atLast('b'))
    await take(original, copy, { version: (await compare(original, copy)).version, paths: ['a', 'new'] })
    expect(await original.run('cat a b c new')).toBe('2\nwritten\n1\n2')
  })

  it('are not taken once an agent has begun to work meanwhile', async ({ pair, compare, take, service, model }) => {
    const { original, copy } = await pair('echo 1 >a')
    await copy.work('echo 2 >a')
    const { version } = await compare(original, copy)
    await original.run(pretending('*unpack-objects*) touch /tmp/waits; until [ -e /tmp/go ]; do sleep 0.1; done;;'))
    const taking = take(original, copy, { version, paths: ['a'] })
    expect(await original.run(until('[ -e /tmp/waits ]'))).toBe('')
    const events = await watch(service, original.id)
    model.setScript([call('terminal', { command: 'echo 3 >a' }), call('finish', { message: 'Done.' })])
    const last = await events.untilStatus('finished')
    const from = 'seq' in last ? last.seq + 1 : 0
    await service.client.call(sendMessage, { params: { conversation_id: original.id }, body: said('Go on.') })
    await events.untilStatus('running', from)
    await original.run('touch /tmp/go')
    await expect(taking).rejects.toMatchObject({ code: 'conversation_running' })
    await events.untilStatus('finished', from)
    await events.close()
    expect(await original.run('cat a')).toBe('3')
  })

  it('are those that were shown, whatever a program of the sandbox says', async ({ pair, compare, take, read }) => {
    const { original, copy } = await pair('echo 1 >a')
    await copy.work('echo 2 >a')
    const { version } = await compare(original, copy)
    await copy.run(pretending(`*ls-tree*) /usr/bin/git "$@" | sed s/100644/100755/; exit;;`))
    await expect(take(original, copy, { version, paths: ['a'] })).rejects.toMatchObject({ code: 'conflict' })
    await copy.run(pretending(`*ls-tree*) /usr/bin/git "$@" | sed s/100644/104755/; exit;;`))
    await expect(compare(original, copy)).rejects.toMatchObject({ code: 'git_refused' })
    await copy.run(pretending(`*'cat-file blob'*) echo harmless; exit;;`))
    await expect(read(original, copy, { path: 'a' })).rejects.toMatchObject({ code: 'conflict' })
    expect(await original.run('cat a; test -x a || echo plain')).toBe('1\nplain')
  })

  it('leave nothing behind in the other sandbox when the request is given up', async ({ pair, compare, take }) => {
    const { original, copy } = await pair('echo 1 >a')
    await copy.work('echo 2 >a')
    const { version } = await compare(original, copy)
    await copy.run(pretending('*pack-objects*) touch /tmp/packs; sleep 600;;'))
    const abort = new AbortController()
    const taking = take(original, copy, { version, paths: ['a'] }, abort.signal)
    expect(await copy.run(until('[ -e /tmp/packs ]'))).toBe('')
    abort.abort()
    await expect(taking).rejects.toThrow()
    const packs = 'ls /tmp/tmp.* /tmp/atelier-taken-* 2>/dev/null'
    expect(await copy.run(`ls /tmp; ${until(`[ -z "$(${packs})" ]`)}`)).not.toContain('late')
  })

  it('let the store of checkpoints be pruned as those do', async ({ pair, compare, take }) => {
    const { original, copy } = await pair('echo 1 >a')
    await copy.work('echo 2 >a')
    const kept = (text: string) =>
      `cd ${STORE}; git --git-dir=. cat-file -e $(echo ${text} | git hash-object --stdin) 2>/dev/null && echo kept || echo gone`
    await original.run('echo compared >b')
    await compare(original, copy)
    expect(await original.run(kept('compared'))).toBe('kept')
    await original.run(`rm b; echo 99999999 >$(echo ${STORE})/grown`)
    const { version } = await compare(original, copy)
    expect(await original.run(`${kept('compared')}; cat grown`)).toBe('gone\n0')
    await original.run(`echo 99999999 >$(echo ${STORE})/grown`)
    await take(original, copy, { version, paths: ['a'] })
    expect(await original.run(`cat a; ${kept('2')}; cat grown`)).toBe('2\nkept\n0')
  })
})

describe('names of files', () => {
  it('that are no UTF-8 are shown with their bytes, and taken as they are', async ({ pair, compare, take, read }) => {
    const { original, copy } = await pair(`echo 1 >"$(printf 'caf\\351')"; echo gone >"$(printf '\\377')"`)
    await copy.work(
      `echo 2 >"$(printf 'caf\\351')"; echo 2 >"$(printf 'caf\\350')"; echo plain >'caf\\xE9'; rm "$(printf '\\377')"; mkdir "$(printf 'ord\\344')"; echo in >"$(printf 'ord\\344/ä')"`,
    )
    const { files, version } = await compare(original, copy)
    expect(lines(files)).toEqual([
      'only_here \\xFF - DELETED',
      'only_there caf\\x5CxE9 - ADDED',
      'only_there caf\\xE8 - ADDED',
      'differs caf\\xE9 - UPDATED',
      'only_there ord\\xE4/ä - ADDED',
    ])
    expect(await read(original, copy, { path: 'caf\\xE9' })).toEqual(['1\n', '2\n'])
    expect(await read(original, copy, { path: 'caf\\xE9', sides: 'there' })).toEqual(['1\n', '2\n'])
    expect(await read(original, copy, { path: 'ord\\xE4/ä' })).toEqual([null, 'in\n'])
    await take(original, copy, { version, paths: files.map(({ path }) => path) })
    const list = 'find . -type f | LC_ALL=C sort | tee /dev/stderr | od -An -tx1 | tr -d " \\n"; cat caf*'
    expect(await original.run(list)).toBe(await copy.run(list))
    expect(lines((await compare(original, copy)).files).filter(line => !line.startsWith('same'))).toEqual([])
  })

  it('and contents with a secret in them are hidden, and can still be looked at and taken', async ({
    pair,
    compare,
    take,
    read,
    service,
  }) => {
    for (const [name, value] of Object.entries({ TOKEN: 'opensesame12345', PHRASE: 'swordfish67890' })) {
      await service.client.call(createSecret, { body: { name, value } })
    }
    const { original, copy } = await pair('echo 1 >a')
    await copy.work('echo of opensesame12345 >opensesame12345.txt')
    const { files, version } = await compare(original, copy)
    const [shown = { path: '', version: '' }] = files
    expect(JSON.stringify(files)).not.toContain('opensesame')
    const [, content] = await read(original, copy, { path: shown.path })
    expect(content).toMatch(/^of .*\n$/)
    expect(content).not.toContain('opensesame')
    const params = { conversation_id: original.id, other_conversation_id: copy.id }
    const query = { path: shown.path, version: shown.version, sides: 'there' as const }
    const change = await service.client.call(getComparedFile, { params, query })
    expect([change.original, change.modified?.text]).toEqual([null, content])
    await copy.run('echo 2 >swordfish67890.txt')
    const alike = take(original, copy, { version: (await compare(original, copy)).version, paths: [shown.path] })
    await expect(alike).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('look the same') })
    await copy.run('rm swordfish67890.txt')
    await take(original, copy, { version, paths: [shown.path] })
    expect(await original.run('cat opensesame12345.txt')).toBe('of opensesame12345')
  })
})
