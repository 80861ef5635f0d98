import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { randomToken } from '../../../server/domain/ids.ts'
import type { ToolHost } from '../../../server/tools/tool.ts'
import { startTestSandbox, type TestSandbox } from '../../parts/engine/sandbox.ts'
import { EDITS } from './edit-cases.ts'
import { EDGES } from './path-cases.ts'
import { bytesOf, runSteps, saidBy } from './steps.ts'
import { VIEWS } from './view-cases.ts'

let sandbox: TestSandbox
let busybox: TestSandbox
beforeAll(async () => {
  ;[sandbox, busybox] = await Promise.all([startTestSandbox(), startTestSandbox('busybox')])
  await sandbox.handle.writeFile('/workspace/project/in-project.txt', Buffer.from('here\n'))
  await sandbox.handle.writeFile('/workspace/project/src/a.ts', Buffer.from(''))
})
afterAll(() => Promise.all([sandbox?.close(), busybox?.close()]))

function hostOf(which: TestSandbox, mask = (value: string) => value): ToolHost {
  return { sandbox: async () => which.handle, mask }
}

async function folderWith(which: TestSandbox, files: Record<string, string | number[]>): Promise<string> {
  const folder = `/workspace/case-${randomToken(6)}`
  const list = Object.entries(files).map(([path, content]) => ({ path, content: bytesOf(content) }))
  await which.handle.writeFiles(folder, list)
  return folder
}

describe('the file editor', () => {
  test.each([...VIEWS, ...EDITS, ...EDGES])('$name', async ({ files = {}, steps }) => {
    await runSteps(hostOf(sandbox), await folderWith(sandbox, files), steps)
  })

  test('lists and edits with nothing but busybox in the image', async () => {
    const folder = await folderWith(busybox, { 'd/f': 'a\n', '.hidden': '' })
    await runSteps(hostOf(busybox), folder, [
      { view: '', has: ['{}/d/f', '1 hidden files/directories'] },
      { replace: 'd/f', old: 'a', new: 'b', file: 'b\n' },
      { view: 'd/F', refused: 'Maybe you meant {}/d/f?' },
    ])
  })

  test('keeps the mode of a file', async () => {
    const folder = await folderWith(sandbox, {})
    await sandbox.handle.writeFiles(folder, [{ path: 'run.sh', content: Buffer.from('echo a\n'), mode: 0o751 }])
    await runSteps(hostOf(sandbox), folder, [{ replace: 'run.sh', old: 'a', new: 'b' }])
    expect((await sandbox.handle.stat(`${folder}/run.sh`))?.mode).toBe(0o751)
  })

  test('edits the file behind a link and leaves the link', async () => {
    const folder = await folderWith(sandbox, { 'real.txt': 'a\n' })
    await sandbox.handle.exec({ argv: ['ln', '-s', 'real.txt', `${folder}/link.txt`] })
    await runSteps(hostOf(sandbox), folder, [{ replace: 'link.txt', old: 'a', new: 'b', file: 'b\n' }])
    const { stdout } = await sandbox.handle.exec({ argv: ['readlink', `${folder}/link.txt`] })
    expect(stdout.trim()).toBe('real.txt')
  })

  test('carries what was and what is, for the window to show the difference', async () => {
    const folder = await folderWith(sandbox, { f: 'a\n', large: 'x'.repeat(200_001) })
    const [edit, create, large, view] = await runSteps(hostOf(sandbox), folder, [
      { replace: 'f', old: 'a', new: 'b' },
      { create: 'new', text: 'n\n' },
      { insert: 'large', line: 0, new: 'y' },
      { view: 'f' },
    ])
    expect(edit).toMatchObject({ prev_exist: true, old_content: 'a\n', new_content: 'b\n' })
    expect(create).toMatchObject({ prev_exist: false, new_content: 'n\n' })
    expect(create).not.toHaveProperty('old_content')
    for (const observation of [large, view]) {
      expect(observation).not.toHaveProperty('old_content')
      expect(observation).not.toHaveProperty('new_content')
    }
  })

  test('does not take an edit back over a change made by something else', async () => {
    const folder = await folderWith(sandbox, { f: 'a\n' })
    const host = hostOf(sandbox)
    let changed = false
    const watched: ToolHost = {
      ...host,
      sandbox: async () => {
        if (changed) await sandbox.handle.writeFile(`${folder}/f`, Buffer.from('someone else\n'))
        changed = true
        return sandbox.handle
      },
    }
    await runSteps(watched, folder, [
      { replace: 'f', old: 'a', new: 'b' },
      { undo: 'f', refused: 'something else has changed the file', file: 'someone else\n' },
    ])
  })

  test('answers an image as a picture, whatever its name', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const folder = await folderWith(sandbox, { picture: [...png] })
    const [observation] = await runSteps(hostOf(sandbox), folder, [{ view: 'picture' }])
    expect(observation?.content).toContainEqual({
      type: 'image',
      image_urls: [`data:image/png;base64,${png.toString('base64')}`],
    })
  })

  test('refuses a file over 10 MB without reading it', async () => {
    const folder = await folderWith(sandbox, {})
    await sandbox.handle.exec({ argv: ['truncate', '-s', '11M', `${folder}/large`] })
    await runSteps(hostOf(sandbox), folder, [{ view: 'large', refused: ['too large (11.0 MB)', '10 MB'] }])
  })

  test('hides secret values in what it shows and carries', async () => {
    const secret = 'sk-very-secret-value'
    const mask = (value: string) => value.replaceAll(secret, '<secret-hidden>')
    const folder = await folderWith(sandbox, { '.env': `KEY=${secret}\nA=1\n` })
    const observations = await runSteps(hostOf(sandbox, mask), folder, [
      { view: '.env', has: 'KEY=<secret-hidden>' },
      { replace: '.env', old: 'A=1', new: 'A=2', file: `KEY=${secret}\nA=2\n` },
      { replace: '.env', old: `${secret}!`, new: 'x', refused: '<secret-hidden>' },
    ])
    expect(observations.map(saidBy).join() + JSON.stringify(observations)).not.toContain(secret)
  })

  test.each(['/proc/1/environ', '/dev/null', '/dev/zero'])('does not hang on %s', async path => {
    const editor = runSteps(hostOf(sandbox), '/', [{ view: `=${path}`, refused: '' }])
    await expect(editor).resolves.toHaveLength(1)
  })
})
