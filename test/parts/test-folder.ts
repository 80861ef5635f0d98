import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of this computer for a test, with git as a person uses it. */
export class TestFolder {
  readonly path: string
  readonly #root: string
  #owner: { uid: number; gid: number } | undefined

  constructor(name = 'shop') {
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-test-folder-')))
    this.path = join(this.#root, name)
    mkdirSync(this.path)
  }

  /** A place beside the folder. */
  beside(name: string): string {
    return join(this.#root, name)
  }

  write(files: Record<string, string>): this {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true })
      writeFileSync(join(this.path, path), text)
    }
    return this
  }

  git(...args: string[]): string {
    const identity = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com']
    const options = { cwd: this.path, encoding: 'utf8', stdio: 'pipe', ...this.#owner } as const
    return execFileSync('git', [...identity, ...args], options).trim()
  }

  /** With a first commit of everything that is there. */
  commit(message = 'First'): this {
    if (!existsSync(join(this.path, '.git'))) this.git('init', '-q', '-b', 'main')
    this.git('add', '-A')
    this.git('commit', '-q', '-m', message)
    return this
  }

  /** All of it belongs to another user of this machine from now on, who runs git too. Needs root. */
  giveTo(owner: { uid: number; gid: number }): this {
    execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, this.#root])
    this.#owner = owner
    return this
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }
}

/** Removed when the test that asks for it ends. */
export function newFolder(name?: string): TestFolder {
  const folder = new TestFolder(name)
  onTestFinished(() => folder.remove())
  return folder
}

/** Everything by which a folder makes git run programs of its own. Each of them would leave a file in `canaries`. */
export function makeHostile(folder: TestFolder): { canaries: string } {
  const canaries = folder.beside('canaries')
  mkdirSync(canaries)
  const program = (name: string) => {
    const path = folder.beside(`${name}.sh`)
    writeFileSync(path, `#!/bin/sh\ntouch "${join(canaries, name)}"\ncat\n`)
    chmodSync(path, 0o755)
    return path
  }
  folder.write({ 'a.txt': 'one\n', 'b.bin': 'two\n', 'nested/c.txt': 'three\n' }).commit()
  folder.write({ '.gitattributes': '*.txt filter=evil diff=evil merge=evil\n*.bin filter=process\n' })
  const set = (name: string, value: string) => folder.git('config', name, value)
  const inner = folder.beside('inner')
  mkdirSync(inner)
  execFileSync('sh', ['-c', 'git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a'], {
    cwd: inner,
  })
  folder.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'module')
  execFileSync('git', ['config', 'core.fsmonitor', program('submodule-fsmonitor')], {
    cwd: join(folder.path, 'module'),
  })
  writeFileSync(join(folder.path, 'module', 'new.txt'), 'new\n')
  folder.git('commit', '-q', '-m', 'Module')
  for (const hook of [
    'pre-commit',
    'post-checkout',
    'post-index-change',
    'reference-transaction',
    'pre-auto-gc',
    'fsmonitor-watchman',
  ]) {
    const path = join(folder.path, '.git', 'hooks', hook)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `#!/bin/sh\ntouch "${join(canaries, `hook-${hook}`)}"\n`)
    chmodSync(path, 0o755)
  }
  set('filter.evil.clean', program('clean'))
  set('filter.evil.smudge', program('smudge'))
  set('filter.process.process', program('process'))
  set('filter.process.required', 'true')
  set('diff.evil.command', program('diff'))
  set('diff.evil.textconv', program('textconv'))
  set('diff.external', program('external-diff'))
  set('merge.evil.driver', program('merge'))
  set('core.sshCommand', program('ssh'))
  set('core.gitProxy', program('proxy'))
  set('core.pager', program('pager'))
  set('core.editor', program('editor'))
  set('core.alternateRefsCommand', program('alternate-refs'))
  set('uploadpack.packObjectsHook', program('pack-objects'))
  set('credential.helper', program('credential'))
  set('gpg.program', program('gpg'))
  set('commit.gpgSign', 'true')
  set('alias.ls-files', `!${program('alias')}`)
  writeFileSync(join(folder.path, '.git', 'included'), `[core]\n\tfsmonitor = ${program('included')}\n`)
  set('include.path', 'included')
  set('core.fsmonitor', program('fsmonitor'))
  folder.write({ 'a.txt': 'changed\n', 'new.txt': 'new\n', 'b.bin': 'changed\n' })
  symlinkSync('/etc', join(folder.path, 'outside'))
  return { canaries }
}

/** Takes no place on the disk. */
export function addSparseFile(folder: TestFolder, name: string, bytes: number): void {
  folder.write({ [name]: '' })
  truncateSync(join(folder.path, name), bytes)
}
