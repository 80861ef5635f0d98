import { getGitState, pushBranch } from '../../server/api/v1/git/commits.ts'
import { storeProviderTokensV1 } from '../../server/api/v1/settings/secrets.ts'
import { type FakeGitProvider, startGitProvider } from '../fakes/git-provider.ts'
import { startConversation } from './client/conversation.ts'
import { testEngine } from './engine/containers.ts'
import { type GitServer, startGitServer } from './git-server.ts'
import type { TestService } from './service/service.ts'

export const PROVIDER_TOKEN = 'glpat-a-real-looking-token'

/** A GitLab of one's own with the repository `team/tool`: its API and its repositories at one address, both behind one token. */
export async function startProviderWithRepository(): Promise<{
  git: GitServer
  provider: FakeGitProvider
  close(): Promise<void>
}> {
  const git = await startGitServer({ credentials: { user: 'oauth2', password: PROVIDER_TOKEN } })
  await git.add('team/tool', { 'main.txt': 'private\n', 'old.txt': 'old\n' })
  return behindToken(git)
}

/** A GitHub Enterprise Server with the repositories that its API lists, `octocat/hello` and `octocat/spoon`, behind one token. */
export async function startGithubWithRepositories(
  files: Record<string, string>,
): Promise<Awaited<ReturnType<typeof startProviderWithRepository>>> {
  const git = await startGitServer({ credentials: { user: 'x-access-token', password: PROVIDER_TOKEN } })
  await git.add('octocat/hello', files)
  await git.add('octocat/spoon', files)
  return behindToken(git)
}

async function behindToken(git: GitServer) {
  const provider = await startGitProvider(git)
  provider.accepted.add(`Bearer ${PROVIDER_TOKEN}`)
  return {
    git,
    provider,
    close: async () => {
      await provider.close()
      await git.close()
    },
  }
}

export async function storeToken(
  service: Pick<TestService, 'client' | 'url' | 'key'>,
  { address }: Pick<FakeGitProvider, 'address'>,
  name: 'github' | 'gitlab' = 'gitlab',
): Promise<void> {
  const provider_tokens = { [name]: { token: PROVIDER_TOKEN, host: address } }
  await service.client.call(storeProviderTokensV1, { body: { provider_tokens } })
}

export interface InRepository {
  params: { conversation_id: string }
  /** What the agent does in the repository. @returns what it printed */
  run(script: string): Promise<string>
}

/** A conversation that works in a clone of `team/tool`. */
export async function startInRepository(service: Pick<TestService, 'client' | 'url' | 'key'>): Promise<InRepository> {
  const task = await startConversation(service, { selected_repository: 'team/tool', git_provider: 'gitlab' })
  if (task.status !== 'READY') throw new Error(task.detail ?? 'The conversation did not start.')
  return {
    params: { conversation_id: task.app_conversation_id ?? '' },
    run: script => run(task.sandbox_id ?? '', script),
  }
}

/** Pushes the repository as it stands, with other fields in the place of what a person has seen. */
export async function pushSeen({ client }: Pick<TestService, 'client'>, { params }: InRepository, other: object = {}) {
  const { remote, branch, head } = await client.call(getGitState, { params })
  const body = { url: remote?.url ?? '', branch: branch ?? '', sha: head ?? '', ...other }
  return client.call(pushBranch, { params, body })
}

async function run(sandbox: string, script: string): Promise<string> {
  const engine = testEngine()
  try {
    const stream = await engine.exec(sandbox, { argv: ['/bin/sh', '-ec', script], cwd: '/workspace/project/tool' })
    const read = async (output: AsyncIterable<unknown>) => {
      let text = ''
      for await (const chunk of output) text += String(chunk)
      return text
    }
    const [printed, said] = await Promise.all([read(stream.stdout), read(stream.stderr)])
    if ((await stream.exitCode) !== 0) throw new Error(said)
    stream.close()
    return printed
  } finally {
    await engine.close()
  }
}
