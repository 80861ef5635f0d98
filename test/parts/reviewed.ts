import * as routes from '../../server/api/v1/conversation/review.ts'
import { startConversation } from './client/conversation.ts'
import { testEngine } from './engine/containers.ts'
import { startGitServer } from './git-server.ts'
import { startTestService } from './service/service.ts'

export const LINES = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('')
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export type Query = Parameters<typeof routes.listReviewFiles.query.parse>[0] & object
export type Reviewed = Awaited<ReturnType<typeof startReviewed>>

/** A conversation in a clone with changes of every kind. */
export async function startReviewed() {
  const git = await startGitServer()
  await git.add('shop', {
    'a.txt': 'one\n',
    'gone.txt': 'x\n',
    'old name.txt': LINES,
    run: 'echo\n',
    'same.txt': 's\n',
  })
  const service = await startTestService({
    settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1', allowed_hosts: ['host.docker.internal'] },
  })
  const task = await startConversation(service, {
    selected_repository: git.url('shop'),
  })
  if (task.detail !== null) throw new Error(task.detail)
  const params = { conversation_id: task.app_conversation_id ?? '' }
  const run = (script: string) => runIn(task.sandbox_id ?? '', script)
  await run(`
    git config user.name a; git config user.email a@b.example
    echo two >>a.txt; git commit -qam second
    echo three >>a.txt; rm gone.txt; mkdir sub; mv 'old name.txt' 'sub/new name.txt'; chmod +x run
    printf '\\000\\001' >raw.bin; echo ${PNG} | base64 -d >dot.png
    printf 'n\\n' >"$(printf 'tab\\tand\\nnewline')"; echo staged >staged.txt; git add staged.txt; echo more >>staged.txt
    git init -q inner; git init -q empty; cd inner; echo i >i.txt; git add .
    git -c user.name=a -c user.email=a@b.example commit -qm inner; echo j >j.txt`)
  const list = async (query: Query = {}) =>
    (await service.client.call(routes.listReviewFiles, { params, query: routes.listReviewFiles.query.parse(query) }))
      .files
  return {
    service,
    params,
    /** Runs a script in the repository. @returns what it printed */
    run,
    list,
    content: (query: Query) =>
      service.client.call(routes.getReviewFile, { params, query: routes.getReviewFile.query.parse(query) }),
    counted: async (query: Query = {}) =>
      (await list(query)).map(({ path, additions, deletions }) => [path, additions, deletions]),
    close: async () => {
      await service.close()
      await git.close()
    },
  }
}

async function runIn(sandbox: string, script: string): Promise<string> {
  const engine = testEngine()
  const stream = await engine.exec(sandbox, { argv: ['/bin/sh', '-ec', script], cwd: '/workspace/project/shop' })
  let printed = ''
  stream.stdout.on('data', chunk => {
    printed += chunk
  })
  stream.stderr.resume()
  const exitCode = await stream.exitCode
  stream.close()
  await engine.close()
  if (exitCode !== 0) throw new Error(`The script ended with ${exitCode}. It printed: ${printed}`)
  return printed
}
