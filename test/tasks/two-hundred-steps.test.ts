import { expect } from 'vitest'
import { it as base } from '../fixtures/base.ts'
import { expectSound, finish, inside, type Mind, must, openWorkshop, run, TASK_MS, use } from './parts.ts'
import type { Sight } from './sight.ts'

const it = base.extend('workshop', { scope: 'file' }, async ({}, { onCleanup }) => {
  // A summary that is of no use: what has to be known must come from elsewhere.
  const workshop = await openWorkshop({ condenser_max_size: MAX_ITEMS }, () => ({ text: 'The work goes on.' }))
  onCleanup(() => workshop.close())
  return workshop
})

const MAX_ITEMS = 180
const PARTS = 48
const TASK = `Write parts/001.txt to parts/0${PARTS}.txt, one after the other. Each holds the checksum of the one before it; commit each by itself.`
const FOLDER = '/workspace/project/parts'
const A_TASK = 8
const nameOf = (part: number) => `${FOLDER}/${String(part).padStart(3, '0')}.txt`

/** Remembers nothing from one answer to the next: all that it knows, it reads in what it is shown. */
function decide(sight: Sight) {
  const total = Number(/parts\/001\.txt to parts\/0(\d+)\.txt/.exec(wordsOf(sight))?.[1])
  must(total === PARTS, `No task: ${wordsOf(sight)}`)
  const tasks = tasksIn(sight)
  if (tasks.length === 0) return use('task_tracker', { command: 'plan', task_list: listAfter(0) })
  const written = partsIn(sight)
  const last = Math.max(0, ...written)
  must(written.size === last, `Of ${last} parts some are not known: ${[...written]}`)

  const [word = ''] = sight.result.split(/\s/)
  const next = NEXT_COMMAND[word]
  if (next) return run(next(last))
  if (word === 'left' && last % A_TASK === 0) {
    return use('task_tracker', { command: 'plan', task_list: listAfter(last) })
  }
  const open = tasks.filter(({ status }) => status !== 'done')
  must(open.length === Math.ceil((PARTS - last) / A_TASK), `Wrong tasks after ${last}: ${JSON.stringify(tasks)}`)
  if (open.length === 0) return finish(`All ${written.size} parts are written.`)
  const told = sight.said.findLast(one => one.kind === 'result' && one.text.startsWith('checksum'))
  const file_text = last === 0 ? 'the beginning\n' : `${told?.text.split('\n')[0]}\n`
  return use('file_editor', { command: 'create', path: nameOf(last + 1), file_text })
}

/** By the first word of the last result. */
const NEXT_COMMAND: Record<string, (part: number) => string> = {
  File: part => `echo "checksum $(cksum < ${nameOf(part)})"`,
  checksum: part =>
    `git init -q . && git add . && git commit -qm 'Part ${part}' && echo "committed $(git rev-list --count HEAD)"`,
  committed: () => 'echo "left $(git status --short | wc -l)"',
}

const mind: Mind = function* (first) {
  let sight = yield { ...decide(first), reasoning: 'I go step by step.', signature: 'proof-of-the-only-thought' }
  for (;;) sight = yield decide(sight)
}

function listAfter(part: number) {
  return Array.from({ length: PARTS / A_TASK }, (_, index) => ({
    title: `Write up to part ${(index + 1) * A_TASK}`,
    status: (index + 1) * A_TASK <= part ? 'done' : index * A_TASK <= part ? 'in_progress' : 'todo',
  }))
}

function wordsOf({ said }: Sight): string {
  return said.flatMap(one => (one.kind === 'user' ? [one.text] : [])).join('\n')
}

/** The newest list: of a call that is still shown, or of what stands for those that are not. */
function tasksIn(sight: Sight): { status: string }[] {
  const call = sight.said.findLast(one => one.kind === 'call' && one.name === 'task_tracker')
  if (call) return JSON.parse(call.text).task_list
  return [...wordsOf(sight).matchAll(/^\* \[(\w+)\] Write up to part \d+$/gm)].map(([, status = '']) => ({ status }))
}

function partsIn(sight: Sight): Set<number> {
  const calls = sight.said.flatMap(one => (one.kind === 'call' && one.name === 'file_editor' ? [one.text] : []))
  const paths = [wordsOf(sight), ...calls].join('\n').matchAll(/\/workspace\/project\/parts\/(\d{3})\.txt/g)
  return new Set([...paths].map(match => Number(match[1])))
}

it(
  'two hundred steps are summed up three times, and the agent still knows all that matters',
  async ({ workshop }) => {
    const task = await workshop.begin('anthropic', TASK, mind, { max_iterations: 300 })
    await task.finished()
    expectSound(task)

    expect(task.sights).toHaveLength(200)
    const condensations = task.seen.of('Condensation')
    expect(condensations).toHaveLength(3)
    expect(task.summaries).toHaveLength(3)
    // The system prompt is one of the events that count.
    const sizes = task.sights.map(({ said }) => said.filter(({ kind }) => kind !== 'thinking').length + 1)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_ITEMS)
    const afterwards = sizes.filter((size, index) => size < (sizes[index - 1] ?? 0))
    expect(afterwards).toHaveLength(3)
    expect(Math.max(...afterwards)).toBeLessThanOrEqual(MAX_ITEMS / 2)
    expect(task.sights.at(-1)?.said.filter(one => one.kind === 'user')).toHaveLength(2)

    const checked = await inside(task.sandboxId, CHECK, FOLDER)
    expect(checked.out).toBe(`${PARTS} of ${PARTS}\nPart ${PARTS}\n`)
  },
  TASK_MS,
)

/** Follows the chain from its beginning, and the commits. */
const CHECK = `i=1; echo 'the beginning' > /tmp/expected
while cmp -s /tmp/expected $(printf %03d.txt $i) && git -C .. cat-file -e HEAD~$((${PARTS} - i)):parts/$(printf %03d.txt $i); do
  echo "checksum $(cksum < /tmp/expected)" > /tmp/next; mv /tmp/next /tmp/expected; i=$((i + 1))
done
echo "$((i - 1)) of $(git rev-list --count HEAD)"; git log -1 --format=%s`
