import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomToken } from '../../server/domain/ids.ts'
import type { SandboxHandle } from '../../server/domain/sandbox-handle.ts'
import { createApplyPatch } from '../../server/tools/apply-patch.ts'
import { EditHistory } from '../../server/tools/file-editor/history.ts'
import { createFileEditor } from '../../server/tools/file-editor.ts'
import type { ToolHost } from '../../server/tools/tool.ts'
import { canBe, type Inside, startTestSandbox, type TestSandbox } from '../parts/engine/sandbox.ts'
import { PATCHES } from './apply-patch-cases.ts'

const IMAGES: { image: string; inside: Inside }[] = [
  { image: 'the default image', inside: 'default' },
  { image: 'nothing but busybox', inside: 'busybox' },
]

describe.each(IMAGES.filter(canBe))('a patch in $image', ({ inside }) => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox(inside)
  })
  afterAll(() => sandbox?.close())

  test.each(PATCHES)('$name', async ({ files = {}, patch, whole, gives, says = [], refused, fuzz = 0 }) => {
    const handle = await folderWith(sandbox, files)
    const body = patch.replaceAll('{}', handle.workingDir)
    const source = whole ? body : `*** Begin Patch\n${body}\n*** End Patch`
    const observation = await apply(hostOf(handle), source)
    expect([observation.message, observation.is_error]).toEqual([observation.message, refused !== undefined])
    for (const words of [...says, ...(refused ?? [])]) expect(observation.message).toContain(words)
    expect(await filesIn(handle)).toEqual(sorted(refused ? files : (gives ?? {})))
    expect(observation.fuzz).toBe(fuzz)
  })

  test('stays inside the folder also where a link leads out', async () => {
    const handle = await folderWith(sandbox, { 'in.txt': 'a\n' })
    await shell(
      handle,
      'mkdir /tmp/out-$$ && echo a >/tmp/out-$$/f && ln -s /tmp/out-$$ dir && ln -s /tmp/out-$$/f file && ln -s ../.. up && ln -s file two && ln -s /tmp/nothing-$$ open',
    )
    for (const path of ['dir/f', 'file', 'up/x', 'two', 'dir/new', 'open']) {
      const patch =
        path.endsWith('new') || path === 'up/x' || path === 'open'
          ? `*** Add File: ${path}\n+b`
          : `*** Update File: ${path}\n@@\n-a\n+b`
      const observation = await apply(hostOf(handle), `*** Begin Patch\n${patch}\n*** End Patch`)
      expect([path, observation.message]).toEqual([path, expect.stringContaining('leads out of the working directory')])
    }
    const moved = await apply(
      hostOf(handle),
      '*** Begin Patch\n*** Update File: in.txt\n*** Move to: dir/in.txt\n*** End Patch',
    )
    expect(moved.is_error).toBe(true)
    expect(await shell(handle, 'cat in.txt dir/f; ls dir')).toBe('a\na\nf\n')
  })

  test('edits the file behind a link that stays inside, and leaves the link', async () => {
    const handle = await folderWith(sandbox, { 'real/f': 'a\n' })
    await shell(handle, 'ln -s real/f link')
    const observation = await apply(hostOf(handle), '*** Begin Patch\n*** Update File: link\n@@\n-a\n+b\n*** End Patch')
    expect(observation.is_error).toBe(false)
    expect(await shell(handle, 'cat real/f; [ -L link ] && echo link')).toBe('b\nlink\n')
  })

  test('keeps the mode of a file, also when it moves', async () => {
    const handle = await folderWith(sandbox, { 'a.sh': 'a\n', 'b.sh': 'b\n' })
    await shell(handle, 'chmod 751 a.sh b.sh')
    await apply(
      hostOf(handle),
      '*** Begin Patch\n*** Update File: a.sh\n@@\n-a\n+A\n*** Update File: b.sh\n*** Move to: c.sh\n*** End Patch',
    )
    for (const name of ['a.sh', 'c.sh']) expect((await handle.stat(`${handle.workingDir}/${name}`))?.mode).toBe(0o751)
  })

  test('changes nothing when one of the files cannot be written in the end', async () => {
    const handle = await folderWith(sandbox, { a: 'a\n', c: 'c\n' })
    const patch =
      '*** Begin Patch\n*** Update File: a\n@@\n-a\n+A\n*** Add File: b/deep\n+b\n*** Delete File: c\n*** End Patch'
    let calls = 0
    const spoiling = changed(handle, {
      // Between looking and writing, something else takes the place of the folder.
      exec: async request => {
        if (request.argv.includes('write') && calls++ === 0) await shell(handle, 'echo file > b')
        return handle.exec(request)
      },
    })
    const observation = await apply(hostOf(spoiling), patch)
    expect([observation.is_error, observation.message]).toEqual([true, expect.stringContaining('nothing was changed')])
    expect(await filesIn(handle)).toEqual({ a: 'a\n', b: 'file\n', c: 'c\n' })
  })
})

describe('a patch', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox?.close())

  test('brings back what it had exchanged when the next file refuses', async () => {
    const handle = await folderWith(sandbox, { a: 'a\n' })
    await shell(handle, 'mkdir x')
    const patch = '*** Begin Patch\n*** Update File: a\n@@\n-a\n+A\n*** Add File: x/new\n+n\n*** End Patch'
    // `mv` fails for the second file only: its name is taken by a folder that is not empty.
    const spoiling = changed(handle, {
      exec: async request => {
        const argv = request.argv.map(arg => arg.replace('exchange() {', 'exchange() { mkdir -p x/new/full/new;'))
        const at = argv.map(arg => arg.replace('mv -f -- "$stage/$n.new" "$2"', 'mv -fT -- "$stage/$n.new" "$2"'))
        return handle.exec({ ...request, argv: at, cwd: request.argv.includes('write') ? handle.workingDir : '/' })
      },
    })
    const observation = await apply(hostOf(spoiling), patch)
    expect(observation.is_error).toBe(true)
    expect(await shell(handle, 'cat a')).toBe('a\n')
  })

  test('carries every file’s change for the window', async () => {
    const handle = await folderWith(sandbox, {
      edit: 'e\n',
      gone: 'g\n',
      from: 'f\n',
      large: `${'x'.repeat(200_001)}\n`,
    })
    const observation = await apply(
      hostOf(handle),
      '*** Begin Patch\n*** Update File: edit\n@@\n-e\n+E\n*** Delete File: gone\n*** Add File: new\n+n\n*** Update File: from\n*** Move to: to\n@@\n-f\n+F\n*** Update File: large\n@@\n+y\n*** End Patch',
    )
    expect(observation.commit).toEqual({
      changes: {
        edit: { type: 'update', old_content: 'e\n', new_content: 'E\n' },
        gone: { type: 'delete', old_content: 'g\n' },
        new: { type: 'add', new_content: 'n\n' },
        from: { type: 'update', old_content: 'f\n', new_content: 'F\n', move_path: 'to' },
        large: { type: 'update' },
      },
    })
  })

  test('is taken back by the file editor', async () => {
    const handle = await folderWith(sandbox, { f: 'a\n' })
    const history = new EditHistory()
    await apply(hostOf(handle), '*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch', history)
    const editor = createFileEditor(hostOf(handle), history)
    const action = editor.toAction({ command: 'undo_edit', path: `${handle.workingDir}/f` })
    await editor.run(action, { signal: AbortSignal.timeout(20_000), onOutput: () => {} })
    expect(await filesIn(handle)).toEqual({ f: 'a\n' })
  })

  test('hides secret values in what it shows and carries', async () => {
    const secret = 'sk-very-secret-value'
    const handle = await folderWith(sandbox, { '.env': `KEY=${secret}\n` })
    const host = { ...hostOf(handle), mask: (value: string) => value.replaceAll(secret, '<secret-hidden>') }
    const done = await apply(host, '*** Begin Patch\n*** Update File: .env\n@@\n+A=1\n*** End Patch')
    const refused = await apply(host, `*** Begin Patch\n*** Update File: .env\n@@\n-${secret}!\n*** End Patch`)
    expect(JSON.stringify([done, refused])).not.toContain(secret)
    expect(await filesIn(handle)).toEqual({ '.env': `KEY=${secret}\nA=1\n` })
  })
})

function hostOf(handle: SandboxHandle): ToolHost {
  return { sandbox: async () => handle, mask: value => value }
}

async function apply(host: ToolHost, patch: string, history = new EditHistory()) {
  const tool = createApplyPatch(host, history)
  const observation = await tool.run(tool.toAction({ patch }), {
    signal: AbortSignal.timeout(20_000),
    onOutput: () => {},
  })
  if (observation.kind !== 'ApplyPatchObservation') throw new Error('The patch was answered by another tool.')
  return observation
}

/** The same sandbox with something else in places. */
function changed(handle: SandboxHandle, other: Partial<SandboxHandle>): SandboxHandle {
  return new Proxy(handle, {
    get: (target, key) => {
      if (Object.hasOwn(other, key)) return Reflect.get(other, key)
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** A sandbox whose working directory is a folder of its own with these files. */
async function folderWith(which: TestSandbox, files: Record<string, string>): Promise<SandboxHandle> {
  const folder = `/workspace/case-${randomToken(6)}`
  const list = Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) }))
  await which.handle.exec({ argv: ['mkdir', '-p', folder] })
  if (list.length > 0) await which.handle.writeFiles(folder, list)
  return changed(which.handle, { workingDir: folder })
}

/** Every file of the working directory by its path, also hidden ones: nothing may be left behind. */
async function filesIn(handle: SandboxHandle): Promise<Record<string, string>> {
  const walk =
    'w() { for f in "$1"/* "$1"/.[!.]*; do if [ -d "$f" ]; then w "$f"; elif [ -f "$f" ]; then printf "%s\\000" "$f"; cat "$f"; printf "\\001\\001"; fi; done; }; w .'
  const text = await shell(handle, walk)
  const entries = text.split('\u0001\u0001').flatMap(entry => {
    const at = entry.indexOf('\0')
    return at < 0 ? [] : [[entry.slice(2, at), entry.slice(at + 1)] as const]
  })
  return sorted(Object.fromEntries(entries))
}

function sorted(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1)))
}

async function shell(handle: SandboxHandle, command: string): Promise<string> {
  const { stdout } = await handle.exec({ argv: ['/bin/sh', '-c', command], cwd: handle.workingDir })
  return stdout
}
