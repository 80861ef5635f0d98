import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { Atelier } from '../../server/client/atelier.ts'
import { openWebSocket } from '../../server/client/node/connect.ts'
import { it as base } from '../fixtures/service.ts'
import { startConversation } from '../parts/client/conversation.ts'
import { command, jsonLines } from '../parts/command-line.ts'

const test = base.extend('run', { scope: 'file' }, ({ service }) => (...words: string[]) => {
  return command(words, { env: { ATELIER_DATA_DIR: service.dataDir, SESSION_API_KEY: service.key } })
})

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-folder-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const terminal = (line: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command: line } }] })
const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' })

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** A repository whose configuration runs a program wherever git lets it. */
function writeHostileRepository(): { marker: string } {
  const marker = join(folder, '..', `${folder.split('/').pop()}-was-executed`)
  git('init', '-q', '-b', 'main')
  write('.gitignore', 'ignored/\n*.log\n')
  write('.gitattributes', '*.txt filter=evil diff=evil\n')
  write('notes.txt', 'one\ntwo\n')
  write('src/deep/file.js', 'export {}\n')
  write('kept.log', 'tracked though ignored\n')
  write('ignored/large', 'x')
  write('run.sh', '#!/bin/sh\n')
  chmodSync(join(folder, 'run.sh'), 0o755)
  symlinkSync('/etc/hostname', join(folder, 'link'))
  git('add', '-A')
  git('add', '-f', 'kept.log')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'First')
  write('new.txt', 'not yet added\n')
  write('evil.sh', `#!/bin/sh\ntouch '${marker}'\ncat\n`)
  chmodSync(join(folder, 'evil.sh'), 0o755)
  for (const name of ['fsmonitor-watchman', 'post-index-change', 'pre-applypatch', 'applypatch-msg', 'post-checkout']) {
    write(`.git/hooks/${name}`, `#!/bin/sh\ntouch '${marker}'\n`)
    chmodSync(join(folder, '.git/hooks', name), 0o755)
  }
  const program = join(folder, 'evil.sh')
  git('config', 'core.fsmonitor', program)
  git('config', 'filter.evil.clean', program)
  git('config', 'filter.evil.smudge', program)
  git('config', 'diff.evil.textconv', program)
  git('config', 'core.hooksPath', join(folder, '.git/hooks'))
  return { marker }
}

describe('a folder', () => {
  test('is copied without what git ignores, worked on, and gets the changes back; nothing of it is executed', async ({
    model,
    run,
    service,
  }) => {
    const { marker } = writeHostileRepository()
    const work =
      'sed -i s/two/three/ notes.txt; mkdir made; echo new > made/new.txt; rm run.sh; ls -A . ignored 2>&1 | sort'
    model.setScript([terminal(work), { text: 'Changed.' }])
    const started = await run('run', 'Change it.', '--folder', folder, '--follow', '--json')
    expect(started).toMatchObject({ code: 0 })
    const id = jsonLines(started.stdout)[0].conversation_id
    const atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
    const sandbox = await atelier.conversation(id).sandbox()
    const cwd = await atelier.conversation(id).workingDirectory()
    const look = 'readlink link; cat kept.log new.txt; ls -d ignored; git log --format=%s'
    expect((await sandbox.run(look, { cwd })).stdout).toBe(
      '/etc/hostname\ntracked though ignored\nnot yet added\nFirst\n',
    )

    expect((await run('diff', id, '--json')).stdout.trim().split('\n').sort()).toEqual([
      '{"status":"ADDED","path":"made/new.txt"}',
      '{"status":"DELETED","path":"run.sh"}',
      '{"status":"UPDATED","path":"notes.txt"}',
    ])
    expect(await run('apply', id, '--check')).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, 'run.sh'))).toBe(true)
    const branch = await run('apply', id, '--branch')
    expect(branch).toMatchObject({ code: 0, stdout: 'atelier/change-it\n' })
    const own = join(folder, '.git/refs/heads/atelier/change-it')
    expect(readFileSync(own, 'utf8')).toMatch(/^[0-9a-f]{40}\n$/)
    const applied = await run('apply', id)
    expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('3 files changed') })
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('one\nthree\n')
    expect(readFileSync(join(folder, 'made/new.txt'), 'utf8')).toBe('new\n')
    expect(existsSync(join(folder, 'run.sh'))).toBe(false)
    expect(existsSync(marker)).toBe(false)
    // The trap works: git of the person's own runs into it.
    git('status')
    expect(existsSync(marker)).toBe(true)
    rmSync(marker)
  })

  test('that the service has copied with what was not committed gets back what the agent changed, and no more', async ({
    service,
    run,
  }) => {
    const { marker } = writeHostileRepository()
    write('notes.txt', 'mine\ntwo\n')
    rmSync(join(folder, 'run.sh'))
    const source = { kind: 'folder' as const, path: folder }
    const { app_conversation_id } = await startConversation(service, { source })
    const id = app_conversation_id ?? ''
    const conversation = new Atelier({ url: service.url, key: service.key, connect: openWebSocket }).conversation(id)
    const sandbox = await conversation.sandbox()
    const work =
      'sed -i s/two/three/ notes.txt && git commit -qam Work && echo more >>new.txt && mkdir made && echo a >made/a'
    const cwd = await conversation.workingDirectory()
    expect(await sandbox.run(work, { cwd })).toMatchObject({ exitCode: 0 })
    const applied = await run('apply', id, '--folder', folder)
    expect(applied).toMatchObject({ code: 0, stderr: expect.stringContaining('3 files changed') })
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine\nthree\n')
    expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('not yet added\nmore\n')
    expect(existsSync(join(folder, 'made/a'))).toBe(true)
    expect(existsSync(join(folder, 'run.sh'))).toBe(false)
    expect(existsSync(marker)).toBe(false)
  })

  test('that has changed meanwhile is left as it is, all of it', async ({ model, run }) => {
    git('init', '-q')
    write('a.txt', 'one\n')
    write('b.txt', 'one\n')
    model.setScript([terminal('echo two > a.txt; echo two > b.txt'), { text: 'Changed.' }])
    const id = jsonLines((await run('run', 'Go.', '--folder', folder, '-f', '--json')).stdout)[0].conversation_id
    write('b.txt', 'mine\n')
    const texts = () => ['a.txt', 'b.txt'].map(name => readFileSync(join(folder, name), 'utf8'))
    const refused = await run('apply', id, '--folder', folder)
    expect(refused).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining('b.txt') })
    expect(texts()).toEqual(['one\n', 'mine\n'])
    expect(await run('apply', id, '--conflicts', 'keep-mine')).toMatchObject({ code: 0 })
    expect(texts()).toEqual(['two\n', 'mine\n'])
    expect(await run('apply', id, '--undo')).toMatchObject({ code: 0, stdout: 'a.txt\n' })
    expect(texts()).toEqual(['one\n', 'mine\n'])
    expect(await run('apply', id, '--conflicts', 'take-theirs')).toMatchObject({ code: 0 })
    expect(texts()).toEqual(['two\n', 'two\n'])
  })

  test('cannot be left by a patch: no parent folder, no link, no .git', async ({ model, run }) => {
    git('init', '-q')
    const outside = mkdtempSync(join(tmpdir(), 'atelier-outside-'))
    symlinkSync(outside, join(folder, 'out'))
    model.setScript([terminal('rm -f out; mkdir out; echo x > out/file'), { text: 'Done.' }])
    const id = jsonLines((await run('run', 'Go.', '--folder', folder, '-f', '--json')).stdout)[0].conversation_id
    await run('apply', id, '--folder', folder)
    expect(existsSync(join(outside, 'file'))).toBe(false)
    // In a folder where the link still is, though the patch knows a folder there.
    model.setScript([terminal('mkdir -p out && echo y > out/file2'), { text: 'Done.' }])
    const other = mkdtempSync(join(tmpdir(), 'atelier-other-'))
    const second = jsonLines((await run('run', 'Go.', '--folder', other, '-f', '--json')).stdout)[0].conversation_id
    rmSync(join(folder, 'out'), { recursive: true })
    symlinkSync(outside, join(folder, 'out'))
    expect(await run('apply', second, '--folder', folder)).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('beyond a symbolic link'),
    })
    expect(existsSync(join(outside, 'file2'))).toBe(false)
    expect(await run('apply', second, '--folder', folder, '--undo')).toMatchObject({ code: 2 })
    for (const path of [outside, other]) rmSync(path, { recursive: true })
  })

  test('is refused where it is absent, a file, or beside a repository', async ({ run }) => {
    expect(await run('run', 'Go.', '--folder', join(folder, 'none'))).toMatchObject({ code: 2 })
    write('file', '')
    expect(await run('run', 'Go.', '--folder', join(folder, 'file'))).toMatchObject({ code: 2 })
    expect(await run('run', 'Go.', '--folder', folder, '--repo', 'a/b')).toMatchObject({ code: 2 })
  })
})

describe('atelier run --mode in_place', () => {
  test('asks once for each folder, and changes the folder itself', async ({ model, run }) => {
    write('a.txt', 'one\n')
    model.setScript([terminal('echo two >a.txt'), { text: 'Done.' }])
    const words = ['run', 'change it', '--folder', folder, '--mode', 'in_place', '--follow']
    const refused = await run(...words)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Give --yes') })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n')
    expect(await run(...words, '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('two\n')
    model.setScript([terminal('echo three >a.txt'), { text: 'Done.' }])
    expect(await run(...words)).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('three\n')
  })

  test('is refused without a folder', async ({ run }) => {
    expect(await run('run', 'change it', '--mode', 'worktree')).toMatchObject({ code: 2 })
  })
})
