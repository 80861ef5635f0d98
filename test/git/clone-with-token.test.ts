import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeProviderTokensV1 } from '../../server/api/v1/settings/secrets.ts'
import { cloneRepository } from '../../server/git/clone.ts'
import { presentedAt } from '../../server/git/credentials.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { type FakeGitProvider, startGitProvider } from '../fakes/git-provider.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'
import { replaced } from '../parts/engine/replaced.ts'
import { startTestSandbox, type TestSandbox } from '../parts/engine/sandbox.ts'
import { type GitServer, startGitServer } from '../parts/git-server.ts'
import { outbound } from '../parts/outbound.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'

const TOKEN = 'glpat-a-real-looking-token'

const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitTransfer })

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** A GitLab of one's own: its API and its repositories at one address, both behind the same token. */
async function startGitLab(): Promise<{ git: GitServer; provider: FakeGitProvider; close(): Promise<void> }> {
  const git = await startGitServer({ credentials: { user: 'oauth2', password: TOKEN } })
  await git.add('team/tool', { 'main.txt': 'private\n' })
  const provider = await startGitProvider(git)
  provider.accepted.add(`Bearer ${TOKEN}`)
  const close = async () => {
    await provider.close()
    await git.close()
  }
  return { git, provider, close }
}

describe('a private repository of a provider', () => {
  let gitlab: Awaited<ReturnType<typeof startGitLab>>
  let model: ModelServer
  let service: TestService

  beforeAll(async () => {
    gitlab = await startGitLab()
    model = await startModelServer()
    const settings = {
      llm_model: 'openai/scripted',
      llm_base_url: model.url.openai,
      llm_api_key: 'sk-test',
      git_user_name: 'Ada Lovelace',
      git_user_email: 'ada@example.invalid',
      allowed_hosts: ['host.docker.internal'],
    }
    service = await startTestService({ settings })
    const provider_tokens = { gitlab: { token: TOKEN, host: gitlab.provider.address } }
    await service.client.call(storeProviderTokensV1, { body: { provider_tokens } })
  })

  afterAll(async () => {
    await service?.close()
    await model?.close()
    await gitlab?.close()
  })

  it('is cloned with the stored token, which is then nowhere in the sandbox', async () => {
    const seen = await work({ selected_repository: 'team/tool', git_provider: 'gitlab' }, [
      'cat main.txt; git remote get-url origin; git config user.name; git config user.email',
      `cat .git/config ~/.gitconfig; env; grep -rs ${TOKEN.slice(0, 12)} / --exclude-dir=proc --exclude-dir=sys && echo FOUND || echo CLEAN`,
    ])
    const origin = `http://host.docker.internal:${gitlab.provider.port}/team/tool.git`
    expect(seen[0]?.split('\n').slice(0, 4)).toEqual(['private', origin, 'Ada Lovelace', 'ada@example.invalid'])
    expect(seen[1]).toContain('CLEAN')
    expect(seen[1]).not.toMatch(/secret-hidden|ATELIER_GIT/)
  })

  it('is also recognised by its full URL', async () => {
    const url = `${gitlab.provider.address}/team/tool.git`
    expect(await work({ selected_repository: url }, ['cat main.txt'])).toEqual([expect.stringContaining('private')])
  })

  it('is pushed to by a command that names the token, which no answer shows', async () => {
    // As the prompt says it.
    const helper = `!f() { echo username=oauth2; echo "password=$GITLAB_TOKEN"; }; f`
    const seen = await work({ selected_repository: 'team/tool', git_provider: 'gitlab' }, [
      `git commit -q --allow-empty -m second && git -c credential.helper='${helper}' push -q origin HEAD:main && echo PUSHED`,
      'echo "it is $GITLAB_TOKEN" | tee /tmp/shown',
      'echo "and now: [$(printenv | grep -c glpat)]"',
    ])
    expect(seen[0]).toContain('PUSHED')
    expect(seen[1]).toContain('it is <secret-hidden>')
    expect(seen[2]).toContain('and now: [0]')
    expect(await gitlab.git.git('team/tool', 'log', '-1', '--format=%s %ae')).toBe('second ada@example.invalid\n')
    const told = JSON.stringify(model.requests.map(request => request.body))
    expect(told).toContain('GITLAB_TOKEN: Access token for GitLab at http://localhost')
    expect(told).not.toContain(TOKEN)
  })

  /** What the commands showed, one after the other, in a conversation of their own. */
  async function work(asked: Parameters<typeof startConversation>[1], commands: string[]): Promise<string[]> {
    model.setScript([
      ...commands.map(command => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })),
      { toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] },
    ])
    const task = await startConversation(service, { ...asked, initial_message: said('Look around') })
    expect(task.detail).toBeNull()
    const seen = await watch(service, task.app_conversation_id ?? '')
    try {
      await seen.untilStatus('finished')
      return seen
        .of('ObservationEvent')
        .flatMap(({ observation }) =>
          observation.kind === 'TerminalObservation' ? [JSON.stringify(observation.content)] : [],
        )
        .map(content =>
          JSON.parse(content)
            .map((part: { text: string }) => part.text)
            .join('\n'),
        )
    } finally {
      await seen.close()
    }
  }
})

describe('credentials for one clone', () => {
  let sandbox: TestSandbox
  let thief: GitServer
  const asked: string[] = []

  beforeAll(async () => {
    sandbox = await startTestSandbox()
    thief = await startGitServer({ credentials: { user: 'oauth2', password: TOKEN } })
    await thief.add('tool', { 'a.txt': 'a\n' })
  })
  afterAll(async () => {
    await sandbox?.close()
    await thief?.close()
  })

  it('are not presented at another address', async () => {
    const address = `http://host.docker.internal:${thief.port}/tool.git`
    const { options, env } = presentedAt('http://host.docker.internal:1/tool.git', {
      username: 'oauth2',
      password: TOKEN,
    })
    const result = await sandbox.handle.exec({
      argv: ['git', ...options, 'ls-remote', address],
      env: { ...env, GIT_TERMINAL_PROMPT: '0' },
    })
    expect(result.exitCode).not.toBe(0)
    expect(result.stderr).toContain('could not read Username')
  })

  it('are not presented where the server redirects to', async () => {
    const heard: (string | undefined)[] = []
    const wanted = `Basic ${Buffer.from(`oauth2:${TOKEN}`).toString('base64')}`
    const redirecting = createServer(({ url = '', headers }, reply) => {
      if (headers.authorization !== wanted) return reply.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
      reply.writeHead(302, { location: `http://host.docker.internal:${portOf(elsewhere)}${url}` }).end()
    })
    const elsewhere = createServer(({ headers }, reply) => {
      heard.push(headers.authorization)
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    })
    for (const server of [redirecting, elsewhere]) await new Promise<void>(done => server.listen(0, '0.0.0.0', done))
    try {
      const cloning = cloneRepository(
        sandbox.handle,
        { url: `http://host.docker.internal:${portOf(redirecting)}/team/tool.git`, name: 'redirected', branch: null },
        {
          onProgress: () => {},
          fetch,
          signal: AbortSignal.timeout(20_000),
          credentials: { username: 'oauth2', password: TOKEN },
        },
      )
      await expect(cloning).rejects.toMatchObject({ code: 'clone_failed' })
      expect(heard.length).toBeGreaterThan(0)
      expect(heard.filter(Boolean)).toEqual([])
    } finally {
      for (const server of [redirecting, elsewhere]) server.close()
    }
  })

  it('are in no argument of a process, which the engine would show', async () => {
    const watched = replaced(sandbox.handle, {
      exec: request => {
        asked.push(request.argv.join(' '))
        return sandbox.handle.exec(request)
      },
    })
    const url = `http://host.docker.internal:${thief.port}/tool.git`
    const folder = await cloneRepository(
      watched,
      { url, name: 'cloned', branch: null },
      {
        onProgress: () => {},
        fetch,
        signal: AbortSignal.timeout(20_000),
        credentials: { username: 'oauth2', password: TOKEN },
      },
    )
    expect(asked.join('\n')).not.toContain(TOKEN)
    const config = (await sandbox.handle.readFile(`${folder}/.git/config`)).toString()
    expect(config).not.toMatch(/glpat|oauth2|helper/)
  })
})
