import { expect } from 'vitest'
import { batchGetSandboxes } from '../../server/api/v1/sandbox/sandboxes.ts'
import { it } from '../fixtures/workshop.ts'
import { said } from '../parts/client/conversation.ts'
import { call } from '../parts/client/legacy.ts'
import { expectSound, finish, inside, type Mind, must, run, TASK_MS, use } from './parts.ts'

const PAGE = '<h1>Tide tables</h1>\n'

/** Starts it where the user can see it, asks it itself, and ends it by its own id when it is told to. */
const mind: Mind = function* (first) {
  must(first.system.includes('$WORKER_1'), first.system)
  yield use('file_editor', { command: 'create', path: '/workspace/project/site/index.html', file_text: PAGE })
  yield run('python3 -m http.server "$WORKER_1" --directory site > /tmp/server.log 2>&1 & echo "pid $!"')
  const asked = yield run('curl -s --retry 20 --retry-connrefused --retry-delay 1 "127.0.0.1:$WORKER_1/"', {
    timeout: 20,
  })
  must(asked.result.includes(PAGE), asked.result)
  yield { fault: 'overloaded', retryAfter: 0 }
  const waited = yield finish('The page is served on port 8011.')
  must(
    waited.said.some(one => one.kind === 'user' && one.text === 'Thank you. Stop it.'),
    JSON.stringify(waited.said),
  )
  const logged = yield run('cat /tmp/server.log; jobs -l; pwd')
  const pid = /^\[1\]\+? +(\d+) Running/m.exec(logged.result)?.[1]
  must(pid !== undefined && logged.result.includes('\n/workspace/project\n'), logged.result)
  const stopped = yield run(`kill ${pid}; wait ${pid}; curl -sS "127.0.0.1:$WORKER_1/"`)
  must(stopped.result.includes('exit code 7'), stopped.result)
  return finish('It is stopped.')
}

it(
  'a server in the background is asked from inside and outside, outlives the answer, and is stopped',
  async ({ workshop }) => {
    const task = await workshop.begin('anthropic', 'Serve the folder site, so that I can look at it.', mind)
    await task.finished()
    const { service } = workshop
    const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [task.sandboxId] } })
    const url = sandbox?.exposed_urls?.find(({ name }) => name === 'WORKER_1')?.url ?? ''
    expect(await (await fetch(url)).text()).toBe(PAGE)
    const hosts = await call(service, 'GET', `/api/conversations/${task.id}/web-hosts`)
    expect(hosts).toMatchObject({
      status: 200,
      body: { hosts: { [url.replace('127.0.0.1', 'localhost')]: Number(new URL(url).port) } },
    })

    task.seen.send(said('Thank you. Stop it.'))
    await task.finished()
    expectSound(task)
    await expect(fetch(url)).rejects.toThrow()
    expect((await inside(task.sandboxId, 'pgrep -c python3')).out).toBe('0\n')
    expect((await inside(task.sandboxId, 'cat /tmp/server.log')).out.match(/GET \/ HTTP/g)).toHaveLength(2)
  },
  TASK_MS,
)
