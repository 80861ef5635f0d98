import { join } from 'node:path'
import { expect } from 'vitest'
import { it } from '../fixtures/workshop.ts'
import { expectSound, finish, inside, type Mind, must, run, TASK_MS, use } from './parts.ts'

const TESTS = 'python3 -m unittest discover -s tests 2>&1 | tail -3'
const CONFLICT = /^<{7} .*\n([\s\S]*?)^={7}\n([\s\S]*?)^>{7} .*\n/m

/** Reads each conflict as it stands in the file and puts its resolution in its place. */
const mind: Mind = function* ({ system }) {
  const folder = /checked out in (\S+?)[.,] /.exec(system)?.[1]
  const merged = yield run('git merge origin/xml-whitespace')
  const files = [...merged.result.matchAll(/^CONFLICT \(content\): Merge conflict in (\S+)$/gm)].map(match => match[1])
  must(files.length === 2 && merged.result.includes('exit code 1'), merged.result)
  yield { fault: 'malformed', text: 'This answer breaks off as well.' }
  for (const file of files) {
    const path = `${folder}/${file}`
    const found = yield run(`sed -n '/^<<<<<<< /,/^>>>>>>> /p' ${file}`)
    const [conflict = '', ours = '', theirs = ''] = CONFLICT.exec(found.result) ?? []
    must(conflict !== '', found.result)
    // The code of the branch; of the changes that are told, both happened.
    const resolved = file === 'CHANGELOG.md' ? ours + theirs : theirs
    const edited = yield use('file_editor', { command: 'str_replace', path, old_str: conflict, new_str: resolved })
    must(!edited.result.includes('<<<<<<<') && edited.result.includes('has been edited'), edited.result)
  }
  const tested = yield run(`git diff --check && ${TESTS}`)
  must(/Ran 75 tests[\s\S]*\nOK\n/.test(tested.result), tested.result)
  const done = yield run('git commit -qa --no-edit && git push -q origin HEAD:main && git status -sb')
  must(done.result.includes('## main...origin/main\n'), done.result)
  return finish('Merged: the code of the branch won, and all tests pass.')
}

it.for(['gemini', 'without-tools'] as const)(
  'a merge conflict is resolved, tested, committed and pushed: %s',
  { timeout: TASK_MS },
  async (speaker, { git, workshop }) => {
    await git.addBundle(speaker, join(import.meta.dirname, 'data/xmltodict.bundle'))
    const folder = `/workspace/project/${speaker}`
    const task = await workshop.begin(
      speaker,
      `Merge the branch xml-whitespace into main and push (${speaker}).`,
      mind,
      {
        selected_repository: git.url(speaker),
      },
    )
    await task.finished()
    expectSound(task)

    // What arrived at the server, not what the sandbox says.
    const parents = await git.git(speaker, 'log', '-1', '--format=%s %P', 'main')
    const [, regression, branch] = /^Merge.*xml-whitespace.* (\w{40}) (\w{40})\n$/.exec(parents) ?? []
    expect(await git.git(speaker, 'log', '-1', '--format=%s', regression ?? '')).toContain('Ensure significant')
    expect(await git.git(speaker, 'rev-parse', 'xml-whitespace')).toBe(`${branch}\n`)
    expect(await git.git(speaker, 'diff', '--stat', 'xml-whitespace', 'main')).toMatch(
      /^ CHANGELOG.md \| 1 \+\n 1 file/,
    )
    expect((await inside(task.sandboxId, `git status -s; ${TESTS}`, folder)).out).toMatch(/^Ran 75 tests.*\n+OK\n$/)
    expect((await inside(task.sandboxId, 'grep -rn "<<<<<<<\\|>>>>>>>" .', folder)).code).toBe(1)
  },
)
