import { expect } from 'vitest'
import { deleteAppConversation } from '../../server/api/v1/conversation/conversations.ts'
import { batchGetSandboxes } from '../../server/api/v1/sandbox/sandboxes.ts'
import { it as base } from '../fixtures/workshop.ts'
import { call } from '../parts/client/legacy.ts'
import { expectSound, finish, inside, type Mind, must, run, TASK_MS, type Task } from './parts.ts'

const it = base
  /** Holds a command with a secret open while the other one works, then goes on in the same shell. */
  .extend(
    'first',
    { scope: 'file' },
    ({ gate }): Mind =>
      function* () {
        const folder = yield run('mkdir -p /tmp/first && cd /tmp/first && NAME=first && echo started')
        must(folder.result.includes('[Current working directory: /tmp/first]'), folder.result)
        const held = yield run(`printf %s "$HARBOUR_TOKEN" | wc -c; curl -s ${gate.url}; echo "$NAME still here"`, {
          timeout: 100,
        })
        must(held.result.includes(`${VALUE.length}\nfirst still here`), held.result)
        const after = yield run('echo "$NAME in $PWD"; env | grep -c HARBOUR_')
        must(after.result.includes('first in /tmp/first\n0'), after.result)
        return finish('The first is done.')
      },
  )

const VALUE = 'tide-4711-harbour'
const COUNT_SEEN = `grep -lz ${VALUE.slice(0, 9)} /proc/[0-9]*/environ 2>/dev/null | wc -l`

/** Would see the other's folder, variable, command or secret if anything were shared but the files. */
const second: Mind = function* () {
  const begun = yield run('echo "[$NAME] in $PWD"; jobs; ls /tmp/first; env | grep -c HARBOUR_')
  must(begun.result.includes('[] in /workspace/project\n0\n'), begun.result)
  const idle = yield run('C-c', { is_input: true })
  must(idle.result.includes('No previous running command'), idle.result)
  yield run('cd /tmp && NAME=second && echo "for the first" > /tmp/first/letter.txt')
  const own = yield run('echo "$NAME in $PWD"; set | grep -c "^HARBOUR_"')
  must(own.result.includes('second in /tmp\n0'), own.result)
  return finish('The second is done.')
}

it(
  'two conversations work in one sandbox at once, and share its files but no terminal, folder or secret',
  async ({ workshop, first, gate }) => {
    const { service } = workshop
    await call(service, 'POST', '/api/v1/secrets', { name: 'HARBOUR_TOKEN', value: VALUE })
    const one = await workshop.begin('openai', 'Be the first here.', first)
    await Promise.race([gate.reached, one.finished()])
    const two = await workshop.begin('anthropic', 'Be the second here.', second, { sandbox_id: one.sandboxId })
    expect(two.sandboxId).toBe(one.sandboxId)
    // The first one's command runs all the while, with its secret.
    await two.finished()
    expect((await inside(one.sandboxId, COUNT_SEEN)).out).not.toBe('0\n')
    gate.open()
    await one.finished()

    for (const task of [one, two]) {
      expectSound(task)
      expect(JSON.stringify([task.seen.frames, bodies(task)])).not.toContain(VALUE)
    }
    expect(JSON.stringify(bodies(two))).not.toContain('the first is')
    expect(terminalPid(one)).not.toBe(terminalPid(two))
    expect((await inside(one.sandboxId, `cat /tmp/first/letter.txt; ${COUNT_SEEN}`)).out).toBe('for the first\n0\n')

    await service.client.call(deleteAppConversation, { params: { conversation_id: one.id } })
    const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [two.sandboxId] } })
    expect(sandbox).toMatchObject({ status: 'RUNNING' })
  },
  TASK_MS,
)

function bodies({ sights }: Task): unknown[] {
  return sights.map(({ request }) => request.body)
}

function terminalPid({ seen }: Task): number | undefined {
  const pids = seen
    .of('ObservationEvent')
    .flatMap(({ observation }) =>
      observation.kind === 'TerminalObservation' && observation.exit_code !== -1 ? [observation.metadata.pid] : [],
    )
  expect(new Set(pids).size).toBe(1)
  return pids[0]
}
