import { expect } from 'vitest'
import { it as base } from '../fixtures/base.ts'
import { expectSound, finish, inside, type Mind, openWorkshop, run, TASK_MS, use } from './parts.ts'
import type { Sight } from './sight.ts'

const it = base.extend('workshop', { scope: 'file' }, async ({}, { onCleanup }) => {
  const workshop = await openWorkshop({}, sight =>
    isTooLong(sight) ? TOO_LONG : { text: '## Task\nAdd the numbers.' },
  )
  onCleanup(() => workshop.close())
  return workshop
})

/** Characters of a whole request; it refuses more, the condenser's too. The smaller one is less than a log and the prompt. */
const WINDOWS = { roomy: 90_000, narrow: 42_000 }

const TOO_LONG = { fault: 'context-overflow' } as const
const FILES = 9
const MAKE = `for i in $(seq 1 ${FILES}); do seq -f 'line %g of a long log' 1 1100 > log-$i.txt; echo "number $((i * i))" >> log-$i.txt; done`

function isTooLong({ request }: Sight): boolean {
  const body = JSON.stringify(request.body)
  return body.length > (body.includes('(narrow)') ? WINDOWS.narrow : WINDOWS.roomy)
}

/** Keeps the sum in the notes of its task, as it cannot see all files at once. */
function decide(sight: Sight) {
  if (isTooLong(sight)) return TOO_LONG
  if (!sight.said.some(one => one.kind === 'call')) return run(MAKE)
  const told = sight.said.map(one => one.text).join('\n')
  const sums = [...told.matchAll(/(\d+) files, sum (\d+)/g)].map(match => match.slice(1).map(Number))
  const [files = 0, sum = 0] = sums.toSorted(([a = 0], [b = 0]) => b - a)[0] ?? []
  const next = (files + 1) ** 2
  if (new RegExp(`^ *number ${next}$`, 'm').test(told)) {
    const task = { title: 'Add', notes: `${files + 1} files, sum ${sum + next}`, status: 'in_progress' }
    return use('task_tracker', { command: 'plan', task_list: [task] })
  }
  return files === FILES ? finish(`The sum is ${sum}.`) : run(`cat log-${files + 1}.txt`)
}

const mind: Mind = function* (first) {
  let sight = first
  for (;;) sight = yield decide(sight)
}

it.for(['roomy', 'narrow'] as const)(
  'a model whose %s window nobody knows reads more than fits into it',
  { timeout: TASK_MS },
  async (window, { workshop }) => {
    const task = await workshop.begin('openai', `Add the numbers at the ends of the logs (${window}).`, mind)
    await task.finished()
    expectSound(task)
    // Each refusal is met once, by leaving out enough for the next steps.
    const refused = task.sights.filter(isTooLong)
    expect(refused.length).toBeGreaterThan(1)
    expect(task.seen.of('Condensation')).toHaveLength(refused.length)
    const [result] = task.seen.of('ObservationEvent').slice(-1)
    expect(result?.observation).toMatchObject({ kind: 'FinishObservation', content: [{ text: 'The sum is 285.' }] })
    expect((await inside(task.sandboxId, 'ls | wc -l')).out).toBe(`${FILES}\n`)
  },
)
