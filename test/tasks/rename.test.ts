import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../fixtures/base.ts'
import { expectSound, finish, inside, type Mind, must, openWorkshop, run, TASK_MS, use } from './parts.ts'

const it = base.extend('workshop', { scope: 'file' }, async ({ git }, { onCleanup }) => {
  await git.addBundle('xmltodict', join(import.meta.dirname, 'data/xmltodict.bundle'))
  const workshop = await openWorkshop()
  onCleanup(() => workshop.close())
  return workshop
})

const FOLDER = '/workspace/project/xmltodict'
const TESTS = 'python3 -m unittest discover -s tests 2>&1 | tail -3'
const renamed = (text: string) => text.replace(/\battr_prefix\b/g, 'attribute_prefix')

/** Each place from the lines that a search showed; where that does not fit, the file is edited by itself. */
const mind = (streams: boolean): Mind =>
  function* () {
    // A server that cannot stream is found out once, and asked for whole answers ever after.
    if (!streams) yield { text: 'This comes whole.', unstreamed: true }
    const found = yield use('grep', { pattern: '\\battr_prefix\\b' })
    const files = [...found.result.matchAll(/^\/workspace\/project\/xmltodict\/(.+)$/gm)].map(match => match[1] ?? '')
    must(files.length === 4, found.result)
    const listed = yield run(`grep -nw attr_prefix ${files.join(' ')}`)
    const places = [...listed.result.matchAll(/^([\w./]+):(\d+):(.*)$/gm)].map(([, file, , line]) => ({ file, line }))
    must(places.length === 16, listed.result)

    const code = files.filter(file => file.endsWith('.py'))
    const hunks = (file: string) =>
      places.flatMap(place => (place.file === file ? ['@@', `-${place.line}`, `+${renamed(place.line ?? '')}`] : []))
    const sections = code.flatMap(file => [`*** Update File: ${file}`, ...hunks(file)])
    const missing = yield use('apply_patch', {
      patch: ['*** Begin Patch', ...sections, '*** Update File: src/gone.py', '@@', '-a', '+b', '*** End Patch'].join(
        '\n',
      ),
    })
    must(missing.result.includes('gone.py'), missing.result)
    yield { fault: 'server-error', retryAfter: 0 }
    const untouched = yield run('git status --short')
    must(!untouched.result.includes('.py'), untouched.result)
    yield use('apply_patch', { patch: ['*** Begin Patch', ...sections, '*** End Patch'].join('\n') })

    for (const file of files.filter(name => !code.includes(name))) {
      const line = places.find(place => place.file === file)?.line ?? ''
      const path = `${FOLDER}/${file}`
      yield use('file_editor', { command: 'str_replace', path, old_str: line, new_str: renamed(line) })
    }
    const checked = yield {
      toolCalls: [
        { name: 'terminal', arguments: { command: TESTS } },
        { name: 'grep', arguments: { pattern: '\\battr_prefix\\b' } },
      ],
    }
    must(checked.results[0]?.includes('\nOK') === true, checked.results[0] ?? '')
    must(checked.results[1]?.startsWith('No files found') === true, checked.results[1] ?? '')
    return finish('attr_prefix is attribute_prefix now, in four files.')
  }

it.for(['streamed', 'whole'])(
  'a name is changed in all files at once, the tests stay green, and nothing of the old name is left: answers come %s',
  { timeout: TASK_MS },
  async (way, { workshop, git }) => {
    const task = await workshop.begin(
      'gemini',
      `Rename the parameter attr_prefix to attribute_prefix everywhere (${way}).`,
      mind(way === 'streamed'),
      {
        selected_repository: git.url('xmltodict'),
        selected_branch: 'stable',
      },
    )
    await task.finished()
    expectSound(task)
    expect(task.sights.slice(1).map(({ request }) => request.stream)).not.toContain(way === 'whole')

    const left = await inside(task.sandboxId, 'git grep -cw attr_prefix', FOLDER)
    expect(left).toEqual({ code: 1, out: '' })
    const places = await inside(task.sandboxId, 'git grep -cw attribute_prefix', FOLDER)
    expect(places.out).toBe('CHANGELOG.md:1\nREADME.md:1\ntests/test_xmltodict.py:1\nxmltodict.py:13\n')
    const sizes = await inside(task.sandboxId, 'git diff --shortstat stable', FOLDER)
    expect(sizes.out).toBe(' 4 files changed, 16 insertions(+), 16 deletions(-)\n')
    expect((await inside(task.sandboxId, TESTS, FOLDER)).out).toContain('\nOK')

    const patches = task.seen.of('ObservationEvent').filter(({ tool_name }) => tool_name === 'apply_patch')
    expect(patches.map(({ observation }) => observation.is_error)).toEqual([true, false])
    expect(patches[1]?.observation).toMatchObject({
      fuzz: 0,
      commit: { changes: { 'xmltodict.py': { type: 'update' }, 'tests/test_xmltodict.py': { type: 'update' } } },
    })
  },
)
