import { expect } from 'vitest'
import { interruptConversation } from '../../server/api/v1/conversation/conversations.ts'
import { it as base } from '../fixtures/workshop.ts'
import { said } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'
import { expectSound, finish, inside, type Mind, must, run, TASK_MS } from './parts.ts'

const it = base
  /** Stopped in the middle of an answer with three calls, told something else, and asked again after the app was opened anew. */
  .extend(
    'mind',
    { scope: 'file' },
    ({ gate }): Mind =>
      function* () {
        yield run(`export PLAN=first; ${SERVE}`)
        const stopped = yield {
          text: 'I build it all.',
          toolCalls: [
            { name: 'terminal', arguments: { command: 'echo one >> done.txt' } },
            { name: 'terminal', arguments: { command: `curl -s ${gate.url}; echo two >> done.txt` } },
            { name: 'terminal', arguments: { command: 'echo three >> done.txt' } },
          ],
        }
        must(
          stopped.results.length === 3 && stopped.results.slice(1).every(text => text.includes('stopped')),
          stopped.results.join('\n'),
        )
        must(stopped.said.at(-1)?.kind === 'user', 'Nobody has said anything.')
        const kept = yield run('echo "$PLAN plan"; cat done.txt; jobs')
        must(kept.result.includes('first plan\none\n') && kept.result.includes('http.server'), kept.result)
        const opened = yield finish('Only the first is there.')
        must(
          opened.said.some(one => one.kind === 'user' && one.text === 'Is the server up?'),
          JSON.stringify(opened.said),
        )
        const asked = yield run(
          'curl -s -o /dev/null -w "%{http_code}\\n" 127.0.0.1:9000/; echo "[$PLAN] $PWD"; cat done.txt',
        )
        must(asked.result.includes('200\n[] /workspace/project\none\n'), asked.result)
        yield run('kill $(cat /tmp/server.pid)')
        return finish('It was; now it is stopped.')
      },
  )

const SERVE = 'python3 -m http.server 9000 > /tmp/server.log 2>&1 & echo $! > /tmp/server.pid'

it(
  'a person stops the agent in the middle of an answer and tells it something else; the app is closed and opened',
  async ({ workshop, mind, gate }) => {
    const task = await workshop.begin('anthropic', 'Build all three.', mind)
    await gate.reached
    await workshop.service.client.call(interruptConversation, { params: { conversation_id: task.id } })
    await task.seen.untilStatus('paused')
    task.seen.send(said('Stop after the first.'))
    const finished = await task.seen.untilStatus('finished')
    await task.seen.close()

    await workshop.service.restart()
    const again = await watch(workshop.service, task.id, -1)
    again.send(said('Is the server up?'))
    await again.untilStatus('finished', 'seq' in finished ? finished.seq + 1 : 0)
    await again.close()
    expectSound({ ...task, seen: again })
    expect((await inside(task.sandboxId, 'cat done.txt; pgrep -c python3')).out).toBe('one\n0\n')
  },
  TASK_MS,
)
