import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectSound, finish, inside, type Mind, openWorkshop, run, TASK_MS, use, type Workshop } from './parts.ts'
import type { Sight } from './sight.ts'

let workshop: Workshop

/** Characters of a whole request; it refuses more, the condenser's too. */
const WINDOW = 90_000

beforeAll(async () => {
  workshop = await openWorkshop({}, sight => (isTooLong(sight) ? TOO_LONG : { text: '## Task\nAdd the numbers.' }))
})

afterAll(() => workshop?.close())

const TOO_LONG = { fault: 'context-overflow' } as const
const FILES = 9
const MAKE = `for i in $(seq 1 ${FILES}); do seq -f 'line %g of a long log' 1 1100 > log-$i.txt; echo "number $((i * i))" >> log-$i.txt; done`

function isTooLong({ request }: Sight): boolean {
  return JSON.stringify(request.body).length > WINDOW
}

/** Keeps the sum in the notes of its task, as it cannot see all files at once. */
function decide(sight: Sight) {
  if (isTooLong(sight)) return TOO_LONG
  if (!sight.said.some(one => one.kind === 'call')) return run(MAKE)
  const number = /^number (\d+)$/m.exec(sight.result)?.[1]
  const notes = [...textOf(sight).matchAll(/(\d+) files, sum (\d+)/g)].map(([, files, sum]) => ({
    files: Number(files),
    sum: Number(sum),
  }))
  const { files, sum } = notes.toSorted((a, b) => b.files - a.files)[0] ?? { files: 0, sum: 0 }
  if (number !== undefined) {
    const task = { title: 'Add', notes: `${files + 1} files, sum ${sum + Number(number)}`, status: 'in_progress' }
    return use('task_tracker', { command: 'plan', task_list: [task] })
  }
  return files === FILES ? finish(`The sum is ${sum}.`) : run(`cat log-${files + 1}.txt`)
}

const mind: Mind = function* (first) {
  let sight = first
  for (;;) sight = yield decide(sight)
}

function textOf({ said }: Sight): string {
  return said.flatMap(one => (one.kind === 'call' || one.kind === 'user' ? [one.text] : [])).join('\n')
}

it(
  'a model whose window nobody knows reads more than fits into it',
  async () => {
    const task = await workshop.begin('openai', 'Add the numbers at the ends of the logs.', mind)
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
  TASK_MS,
)
