import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { textOf } from '../../server/event/model-messages.ts'
import { checkBranch, parseRepository } from '../../server/git/repository.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'
import { type GitServer, startGitServer } from '../parts/git-server.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'

describe('ext::, file:// and option injection: the address of a repository', () => {
  it.each([
    ['octocat/hello-world', 'https://github.com/octocat/hello-world.git', 'hello-world'],
    ['https://example.com/a/b.git', 'https://example.com/a/b.git', 'b'],
    ['http://localhost:3000/team/tool.git', 'http://host.docker.internal:3000/team/tool.git', 'tool'],
    ['http://127.0.0.1/tool/', 'http://host.docker.internal/tool/', 'tool'],
    ['http://[::1]:80/tool', 'http://host.docker.internal/tool', 'tool'],
    ['ssh://git@example.com/a/b', 'ssh://git@example.com/a/b', 'b'],
    ['git@example.com:a/b.git', 'git@example.com:a/b.git', 'b'],
    ['https://example.com/a/%24%28reboot%29.git', 'https://example.com/a/%24%28reboot%29.git', '--reboot-'],
  ])('%s is %s in the folder %s', (text, url, name) => {
    expect(parseRepository(text, 'github')).toEqual({ url, name })
  })

  it.each([
    'https://user:hunter2@example.com/a/b.git',
    'https://ghp_token@example.com/a/b.git',
    'file:///etc',
    'ext::sh -c reboot',
    '--upload-pack=reboot',
    '/etc/passwd',
    '../../etc',
    'https://example.com/..',
    'https://example.com/',
    'git@example.com:/etc',
    '-oProxyCommand=reboot@example.com:a/b',
    '',
  ])('%s is refused, in words that repeat no credential', text => {
    expect(() => parseRepository(text, 'github')).toThrow(/^The repository cannot be used: /)
    expect(() => parseRepository(text, 'github')).not.toThrow(/hunter2|ghp_token/)
  })

  it.each(['--upload-pack=reboot', '-b', 'a..b', 'a b', 'a;reboot', '$(reboot)', 'a/', 'a.lock', ''])(
    'a branch named "%s" is refused',
    branch => {
      expect(() => checkBranch(branch)).toThrow('The branch name is not valid.')
    },
  )
})

describe('a clone from a server on this machine', () => {
  let git: GitServer
  let model: ModelServer
  let service: TestService

  beforeAll(async () => {
    git = await startGitServer()
    await git.add('tool', { 'main.txt': 'on main\n' })
    await git.add('tool', { 'side.txt': 'on the branch\n' }, 'feature/side')
    model = await startModelServer()
    const llm = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-test' }
    service = await startTestService({ settings: { ...llm, allowed_hosts: ['host.docker.internal'] } })
  })

  afterAll(async () => {
    await service?.close()
    await model?.close()
    await git?.close()
  })

  it('is where the agent works', async () => {
    expect(await listing({ selected_repository: git.url('tool') })).toBe('/workspace/project/tool main.txt main')
  })

  it('has the branch that was asked for', async () => {
    const asked = { selected_repository: git.url('tool'), selected_branch: 'feature/side' }
    expect(await listing(asked)).toBe('/workspace/project/tool side.txt feature/side')
  })

  it("fails with git's own words when there is no such repository", async () => {
    const task = await startConversation(service, { selected_repository: git.url('missing') })
    expect(task).toMatchObject({ status: 'ERROR', app_conversation_id: null })
    expect(task.detail).toMatch(/git could not clone .*missing\.git.*fatal: repository '.*' not found/)
  })

  it("fails with git's own words when there is no such branch", async () => {
    const asked = { selected_repository: git.url('tool'), selected_branch: 'missing' }
    const task = await startConversation(service, asked)
    expect(task).toMatchObject({ status: 'ERROR' })
    expect(task.detail).toContain('fatal: Remote branch missing not found')
  })

  it('says where to allow the server when sandboxes do not reach it', async () => {
    const allow = (allowed_hosts: string[]) => service.client.call(storeSettingsV1, { body: { allowed_hosts } })
    await allow([])
    const closed = await startConversation(service, { selected_repository: git.url('tool') })
    expect(closed).toMatchObject({ status: 'ERROR', app_conversation_id: null })
    const host = `host.docker.internal:${git.port}`
    expect(closed.detail).toContain(`Allow ${host} in Settings › Privacy (allowed_hosts), then try again.`)
    await allow([`localhost:${git.port}`])
    expect(await listing({ selected_repository: git.url('tool') })).toBe('/workspace/project/tool main.txt main')
    await allow(['host.docker.internal'])
  })

  it('does not wait for a password that nobody can type', async () => {
    const closed = await startGitServer({ credentials: { user: 'me', password: 'secret' } })
    try {
      await closed.add('private', { 'a.txt': 'a\n' })
      const task = await startConversation(service, { selected_repository: closed.url('private') })
      expect(task).toMatchObject({ status: 'ERROR' })
      expect(task.detail).toContain('fatal: could not read Username')
    } finally {
      await closed.close()
    }
  })

  /** Folder, files and branch as the agent's own shell sees them. */
  async function listing(asked: { selected_repository: string; selected_branch?: string }): Promise<string> {
    model.setScript([
      {
        toolCalls: [{ name: 'terminal', arguments: { command: 'echo $(pwd) $(ls) $(git branch --show-current)' } }],
      },
      { toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] },
    ])
    const task = await startConversation(service, { ...asked, initial_message: said('Look around') })
    expect(task.detail).toBeNull()
    const seen = await watch(service, task.app_conversation_id ?? '')
    try {
      await seen.untilStatus('finished')
      const [ran] = seen.of('ObservationEvent').map(event => event.observation)
      return textOf(ran?.content ?? []).split('\n')[0] ?? ''
    } finally {
      await seen.close()
    }
  }
})
