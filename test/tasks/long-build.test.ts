import { expect } from 'vitest'
import { it as base } from '../fixtures/workshop.ts'
import { startGate } from '../parts/gate.ts'
import { expectSound, finish, inside, type Mind, must, outputsOf, run, TASK_MS, until, use } from './parts.ts'

const it = base
  .extend('linked', { scope: 'file' }, async ({}, { onCleanup }) => {
    const linked = await startGate()
    onCleanup(() => linked.close())
    return linked
  })
  .extend('packed', { scope: 'file' }, async ({}, { onCleanup }) => {
    const packed = await startGate()
    onCleanup(() => packed.close())
    return packed
  })
  /** Waits with a short time-out, looks again with nothing until it sees what it waits for, and reads what was left out. */
  .extend(
    'mind',
    { scope: 'file' },
    ({ linked, packed }): Mind =>
      function* () {
        yield use('file_editor', {
          command: 'create',
          path: `${FOLDER}/build.sh`,
          file_text: BUILD(linked.url, packed.url),
        })
        const begun = yield* until('linking', run('sh build.sh', { timeout: 0.3 }))
        must(begun.result.includes('The command timed out'), begun.result)
        const refused = yield run('ls')
        must(refused.result.includes('is NOT executed. The previous command is still running'), refused.result)
        yield {
          fault: 'half-closed',
          text: 'This answer breaks off.',
          toolCalls: [{ name: 'terminal', arguments: {} }],
        }
        linked.open()
        // Broken JSON, of which it is clear what was meant.
        yield* until('packing', { toolCalls: [{ name: 'terminal', arguments: '{"command": "", "timeout": 0.3' }] })
        packed.open()
        const seen = yield run('', { timeout: 60 })
        must(seen.result.includes('completed with exit code 3'), seen.result)
        const path = /All of it is in (\S+\.txt);/.exec(seen.result)?.[1]
        must(path !== undefined, seen.result)
        yield run(`sed -n '2000,2002p' ${path} && grep -c '^compiled unit' ${path}`)
        return finish('The build ends with exit code 3 after everything was compiled.')
      },
  )

const FOLDER = '/workspace/project'
const BUILD = (link: string, pack: string) => `set -e
compile() { i=$1; while [ $i -le $2 ]; do echo "compiled unit $i"; i=$((i + 1)); done; }
compile 1 300
echo 'linking'
curl -s ${link}
compile 301 600
echo 'packing'
curl -s ${pack}
compile 601 5000
echo 'build complete' >&2
exit 3
`

it(
  'a build that outlasts every time-out is polled to its end, and nothing of its output is lost or told twice',
  async ({ workshop, mind }) => {
    const task = await workshop.begin('openai', 'Build this with build.sh and tell how it ends.', mind)
    await task.finished()
    expectSound(task)

    const outputs = outputsOf(task).slice(1, -2)
    // A look may end in the middle of a line.
    const told = outputs.join('').replace(/\s+/g, '')
    const [head = '', tail = ''] = told.split(/<responseclipped>.*<\/NOTE>/)
    const units = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, n) => `compiledunit${from + n}`)
    const whole = [
      ...units(1, 300),
      'linking',
      ...units(301, 600),
      'packing',
      ...units(601, 5000),
      'buildcomplete',
    ].join('')
    expect(whole.slice(0, head.length)).toBe(head)
    expect(whole.slice(-tail.length)).toBe(tail)
    expect(head).toContain('compiledunit1000')
    expect(tail).toContain('compiledunit4900')

    const file = outputsOf(task).at(-2) ?? ''
    expect(file.trim()).toMatch(/^compiled unit (\d+)\ncompiled unit \d+\ncompiled unit \d+\n4400$/)
    expect(Number(/\d+/.exec(file)?.[0])).toBeGreaterThan(1000)
    const ends = task.seen
      .of('ObservationEvent')
      .flatMap(({ observation }) => (observation.kind === 'TerminalObservation' ? [observation.exit_code] : []))
    expect(ends.slice(-2)).toEqual([3, 0])
    expect(new Set(ends.slice(0, -2))).toEqual(new Set([-1]))
    expect((await inside(task.sandboxId, 'ls')).out).toBe('build.sh\n')
  },
  TASK_MS,
)
