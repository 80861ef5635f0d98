import { join } from 'node:path'
import { expect } from 'vitest'
import { it as base } from '../fixtures/base.ts'
import { expectSound, finish, inside, type Mind, must, openWorkshop, run, TASK_MS, use } from './parts.ts'

const it = base.extend('workshop', { scope: 'file' }, async ({ git }, { onCleanup }) => {
  await git.addBundle('xmltodict', join(import.meta.dirname, 'data/xmltodict.bundle'))
  const workshop = await openWorkshop({ git_user_name: 'Ada', git_user_email: 'ada@example.invalid' })
  onCleanup(() => workshop.close())
  return workshop
})

const FOLDER = '/workspace/project/xmltodict'
const TESTS = 'python3 -m unittest discover -s tests 2>&1'

/** Looks at the failure, finds the commit, reads the place that it names, and takes back just that. */
const mind: Mind = function* () {
  const failed = yield {
    ...run(`git log --oneline -3 && ${TESTS} | tail -30`),
    reasoning: 'First I reproduce the failure.',
    signature: 'proof-of-the-first-thought',
  }
  must(/FAIL: (test_\w+)[\s\S]*FAILED \(failures=1\)/.test(failed.result), failed.result)
  yield { fault: 'rate-limit', retryAfter: 0 }
  const looked = yield {
    text: 'One test fails. I look at what the last commit did and where whitespace is stripped.',
    toolCalls: [
      { name: 'terminal', arguments: { command: 'git show --format=%s HEAD -- xmltodict.py' } },
      { name: 'grep', arguments: { pattern: 'self\\.strip_whitespace and', include: 'xmltodict.py' } },
      { name: 'grep', arguments: { pattern: 'def test_comments', path: 'tests' } },
    ],
  }
  const line = Number(/^ {2}(\d+): /m.exec(looked.results[1] ?? '')?.[1])
  const before = /^-( +if self[^\n]*)\n-( +data = [^\n]*)$/m.exec(looked.results[0] ?? '')
  must(line > 0 && before !== null, looked.results.join('\n'))
  const shown = yield use('file_editor', {
    command: 'view',
    path: `${FOLDER}/xmltodict.py`,
    view_range: [line, line + 1],
  })
  const now = shown.result.split('\n').flatMap(text => /^ *\d+\t(.*)$/.exec(text)?.[1] ?? [])
  must(now.length === 2, shown.result)
  yield use('file_editor', {
    command: 'str_replace',
    path: `${FOLDER}/xmltodict.py`,
    old_str: now.join('\n'),
    new_str: `${before?.[1]}\n${before?.[2]}`,
  })
  const passed = yield run(`${TESTS} | tail -3`)
  must(/^OK$/m.test(passed.result), passed.result)
  const committed = yield run(
    "git commit -qam 'Strip whitespace around text again' && git status --short && git log -1 --stat",
  )
  must(committed.result.includes('1 file changed, 2 insertions(+), 2 deletions(-)'), committed.result)
  return finish(`The last commit left whitespace around text. ${/Ran \d+ tests/.exec(passed.result)?.[0]}, all pass.`)
}

it(
  'a failing test of a real repository is found, repaired and committed',
  async ({ workshop, git }) => {
    const task = await workshop.begin('anthropic', 'A test fails since the last commit. Repair it and commit.', mind, {
      selected_repository: git.url('xmltodict'),
    })
    await task.finished()
    expectSound(task)

    const checked = await inside(
      task.sandboxId,
      `${TESTS} | tail -1; git log --format='%an %s' -2; git status -s`,
      FOLDER,
    )
    expect(checked.out).toBe(
      'OK\nAda Strip whitespace around text again\nAtelier tests Ensure significant whitespace is not trimmed\n',
    )
    const repaired = await inside(task.sandboxId, 'git diff origin/stable -- xmltodict.py tests', FOLDER)
    expect(repaired).toEqual({ code: 0, out: '' })

    const tools = task.seen.of('ActionEvent').map(({ tool_name }) => tool_name)
    expect(tools).toEqual('terminal terminal grep grep file_editor file_editor terminal terminal finish'.split(' '))
    const retries = task.seen.of('ConversationStateUpdateEvent').filter(({ key }) => key === 'llm_retry')
    expect(retries.map(({ value }) => value)).toMatchObject([{ attempt: 1, delay_ms: 0 }])
    // The proof of a thought goes back with the calls that it led to, in every later request.
    for (const { request } of task.sights.slice(1)) {
      expect(JSON.stringify(request.body.messages)).toContain('proof-of-the-first-thought')
    }
  },
  TASK_MS,
)
