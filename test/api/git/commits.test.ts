import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { commitChanges, getGitState, pushBranch } from '../../../server/api/v1/git/commits.ts'
import { findPullRequest, openPullRequest } from '../../../server/api/v1/git/pull-requests.ts'
import { storeProviderTokensV1 } from '../../../server/api/v1/settings/secrets.ts'
import {
  type InRepository,
  PROVIDER_TOKEN,
  startInRepository,
  startProviderWithRepository,
  storeToken,
} from '../../parts/provider-repository.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

let remote: Awaited<ReturnType<typeof startProviderWithRepository>>
let service: TestService
const IDENTITY = { git_user_name: 'Ada Lovelace', git_user_email: 'ada@example.invalid' }

beforeAll(async () => {
  remote = await startProviderWithRepository()
  const model = { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' }
  service = await startTestService({ settings: { ...model, ...IDENTITY, allowed_hosts: ['host.docker.internal'] } })
  await storeToken(service, remote.provider)
})

afterAll(async () => {
  await service?.close()
  await remote?.close()
})

const stateOf = ({ params }: InRepository) => service.client.call(getGitState, { params })
const commit = ({ params }: InRepository, body: object) =>
  service.client.call(commitChanges, { params, body: { message: 'Change it', ...body } })
async function push(conversation: InRepository, other: object = {}) {
  const { remote, branch, head } = await stateOf(conversation)
  const body = { url: remote?.url ?? '', branch: branch ?? '', sha: head ?? '', ...other }
  return service.client.call(pushBranch, { params: conversation.params, body })
}
const remoteLog = (branch: string, format = '%s %an %ae') =>
  remote.git.git('team/tool', 'log', '-1', `--format=${format}`, branch)

describe('commits', () => {
  let conversation: InRepository

  beforeAll(async () => {
    conversation = await startInRepository(service)
  })

  it('begin with a state that names the remote, and nothing to push', async () => {
    expect(await stateOf(conversation)).toMatchObject({
      branch: 'main',
      message: 'The repository as it was found',
      amendable: false,
      remote: { name: 'origin', url: expect.stringMatching(/\/team\/tool\.git$/), git_provider: 'gitlab' },
      upstream: 'origin/main',
      default_branch: 'main',
      ahead: 0,
      behind: 0,
      push_problem: expect.stringContaining('Commit first'),
      identity: { name: 'Ada Lovelace', email: 'ada@example.invalid' },
      files: [],
    })
    await expect(commit(conversation, {})).rejects.toMatchObject({ code: 'conflict' })
  })

  it('list every kind of change, staged or not, whatever it is called', async () => {
    await conversation.run(
      `echo more >>main.txt; git rm -q old.txt; mkdir 'a b'; echo n >'a b/new.txt'; touch "$(printf 'two\\nlines')" -- -x; echo s >staged; git add staged; echo t >>staged`,
    )
    expect((await stateOf(conversation)).files).toEqual([
      { path: '-x', staged: null, unstaged: 'ADDED' },
      { path: 'a b/new.txt', staged: null, unstaged: 'ADDED' },
      { path: 'main.txt', staged: null, unstaged: 'UPDATED' },
      { path: 'old.txt', staged: 'DELETED', unstaged: null },
      { path: 'staged', staged: 'ADDED', unstaged: 'UPDATED' },
      { path: 'two\nlines', staged: null, unstaged: 'ADDED' },
    ])
  })

  it('take the index as it is, then chosen files alone, on a new branch, then the rest', async () => {
    expect(await commit(conversation, { scope: 'staged', new_branch: 'feature/x' })).toMatchObject({
      branch: 'feature/x',
      files: 2,
    })
    expect(await conversation.run('git show HEAD:staged')).toBe('s\n')
    const paths = ['two\nlines', '-x', 'a b/new.txt']
    expect(await commit(conversation, { scope: 'paths', paths, message: 'Add\n\n# kept\n' })).toMatchObject({
      files: 3,
    })
    expect(await conversation.run('git log -1 --format=%B%an,%ae,%cn')).toBe(
      'Add\n\n# kept\nAda Lovelace,ada@example.invalid,Ada Lovelace\n',
    )
    expect((await stateOf(conversation)).files.map(({ path }) => path)).toEqual(['main.txt', 'staged'])
    expect(await commit(conversation, {})).toMatchObject({ files: 2 })
    expect(await stateOf(conversation)).toMatchObject({ ahead: 3, amendable: true, upstream: null, files: [] })
  })

  it('commit a file that is gone by its name', async () => {
    await conversation.run('rm main.txt')
    expect(await commit(conversation, { scope: 'paths', paths: ['main.txt'] })).toMatchObject({ files: 1 })
  })

  it('are amended until they are pushed', async () => {
    const before = await stateOf(conversation)
    await commit(conversation, { message: 'Amended', amend: true })
    expect(await stateOf(conversation)).toMatchObject({ message: 'Amended', ahead: before.ahead })
    await push(conversation)
    expect((await stateOf(conversation)).amendable).toBe(false)
    await expect(commit(conversation, { amend: true })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('say what a hook said, and leave no new branch behind', async () => {
    await conversation.run(
      'printf "#!/bin/sh\\necho tests fail >&2; exit 1\\n" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo h >h',
    )
    await expect(commit(conversation, { new_branch: 'never' })).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('tests fail'),
    })
    await conversation.run('rm .git/hooks/pre-commit')
    expect((await stateOf(conversation)).branch).toBe('feature/x')
    expect(await conversation.run('git branch --list never')).toBe('')
  })

  it.each([
    ['no name', { scope: 'paths' }, 'bad_request'],
    ['a file that is not there', { scope: 'paths', paths: ['nowhere'] }, 'git_refused'],
    ['a pattern', { scope: 'paths', paths: ['*'] }, 'git_refused'],
    ['a branch that is an option', { new_branch: '--force' }, 'bad_request'],
    ['a branch that is there', { new_branch: 'main' }, 'conflict'],
    ['no words', { message: ' \n' }, 'validation'],
  ])('refuse %s', async (_, body, code) => {
    await expect(commit(conversation, body)).rejects.toMatchObject({ code })
  })
})

describe('a push', () => {
  it('sends the branch with the stored token, which stays nowhere', async () => {
    const conversation = await startInRepository(service)
    await conversation.run('echo pushed >pushed.txt')
    await commit(conversation, { message: 'Push it', new_branch: 'pushed' })
    const { sha } = await push(conversation)
    expect(await remoteLog('pushed')).toBe('Push it Ada Lovelace ada@example.invalid\n')
    expect(await stateOf(conversation)).toMatchObject({ head: sha, upstream: 'origin/pushed', ahead: 0 })
    expect(await conversation.run('git rev-parse --abbrev-ref @{upstream}')).toBe('origin/pushed\n')
    const found = await conversation.run(
      `grep -rs ${PROVIDER_TOKEN} / --exclude-dir=proc --exclude-dir=sys || echo CLEAN; ls /tmp | grep tmp. || true`,
    )
    expect(found).toBe('CLEAN\n')
  })

  it('is nothing that the repository has a part in', async () => {
    const conversation = await startInRepository(service)
    const spy = 'env >/tmp/stolen; cat >>/tmp/stolen'
    await conversation.run(`
      printf '#!/bin/sh\\n${spy}\\n' >.git/hooks/pre-push; chmod +x .git/hooks/pre-push
      git config core.hooksPath .git/hooks; git config credential.helper '!f() { ${spy}; }; f'
      git config core.askPass /bin/cat; git config http.proxy http://127.0.0.1:1
      git config url.http://127.0.0.1:1/.insteadOf http://host.docker.internal
      git config --global url.http://127.0.0.1:1/.pushInsteadOf http://host.docker.internal
      git config remote.origin.pushurl http://127.0.0.1:1/; git config push.gpgSign true
      echo quiet >quiet.txt`)
    await commit(conversation, { message: 'Quiet', new_branch: 'quiet' })
    await push(conversation)
    expect(await remoteLog('quiet', '%s')).toBe('Quiet\n')
    expect(await conversation.run('cat /tmp/stolen 2>/dev/null || echo NOTHING')).toBe('NOTHING\n')
  })

  it('is never forced: it says that the remote has more', async () => {
    const conversation = await startInRepository(service)
    await conversation.run('echo mine >mine.txt')
    await commit(conversation, {})
    const tree = (await remote.git.git('team/tool', 'rev-parse', 'main^{tree}')).trim()
    const author = ['-c', 'user.name=B', '-c', 'user.email=b@example.invalid']
    const sha = await remote.git.git('team/tool', ...author, 'commit-tree', tree, '-p', 'main', '-m', 'Theirs')
    await remote.git.git('team/tool', 'update-ref', 'refs/heads/main', sha.trim())
    await expect(push(conversation)).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('has commits that the sandbox has not'),
    })
    expect(await remoteLog('main', '%s')).toBe('Theirs\n')
  })

  it('says what the remote says when it refuses', async () => {
    const conversation = await startInRepository(service)
    await conversation.run('echo x >x.txt')
    await commit(conversation, { new_branch: 'protected' })
    const hook = join(
      (await remote.git.git('team/tool', 'rev-parse', '--absolute-git-dir')).trim(),
      'hooks/pre-receive',
    )
    writeFileSync(hook, '#!/bin/sh\necho "this branch is protected" >&2; exit 1\n')
    chmodSync(hook, 0o755)
    try {
      await expect(push(conversation)).rejects.toMatchObject({
        code: 'git_refused',
        message: expect.stringMatching(/pre-receive hook declined[\s\S]*this branch is protected/),
      })
    } finally {
      writeFileSync(hook, '#!/bin/sh\nexit 0\n')
    }
  })

  it('goes only where the person has seen that it goes', async () => {
    const conversation = await startInRepository(service)
    await conversation.run('echo x >x.txt')
    await commit(conversation, { new_branch: 'seen' })
    for (const other of [{ url: 'https://elsewhere.example/x.git' }, { branch: 'main' }, { sha: '0'.repeat(40) }]) {
      await expect(push(conversation, other)).rejects.toMatchObject({ code: 'conflict' })
    }
    const seen = await stateOf(conversation)
    await conversation.run('git remote set-url origin http://thief:secret@thief.example/team/tool.git')
    const body = { url: seen.remote?.url ?? '', branch: 'seen', sha: seen.head ?? '' }
    const refused = service.client.call(pushBranch, { params: conversation.params, body })
    await expect(refused).rejects.toMatchObject({
      code: 'provider_token_missing',
      message: expect.stringContaining('thief.example'),
    })
    expect((await stateOf(conversation)).remote).toEqual({
      name: 'origin',
      url: 'http://thief.example/team/tool.git',
      git_provider: null,
    })
  })

  it('uses the token by HTTP where the remote is by SSH', async () => {
    const conversation = await startInRepository(service)
    await conversation.run('git remote set-url origin git@localhost:team/tool.git; echo s >s.txt')
    await commit(conversation, { new_branch: 'by-ssh' })
    await push(conversation)
    expect(await remoteLog('by-ssh', '%s')).toBe('Change it\n')
  })

  it('needs a token, and says where to store one', async () => {
    const conversation = await startInRepository(service)
    await conversation.run('echo t >t.txt')
    await commit(conversation, { new_branch: 'tokenless' })
    await service.client.call(storeProviderTokensV1, { body: { provider_tokens: {} } })
    try {
      expect((await stateOf(conversation)).push_problem).toContain('Settings › Git')
      await expect(push(conversation)).rejects.toMatchObject({ code: 'provider_token_missing' })
    } finally {
      await storeToken(service, remote.provider)
    }
  })
})

it('a patch holds what is committed and what is not', async () => {
  const conversation = await startInRepository(service)
  await conversation.run('echo committed >c.txt')
  await commit(conversation, {})
  await conversation.run('echo loose >l.txt')
  const { conversation_id } = conversation.params
  const reply = await fetch(`${service.url}/api/v1/app-conversations/${conversation_id}/git/patch`, {
    headers: { 'X-Session-API-Key': service.key },
  })
  expect(reply.headers.get('content-disposition')).toContain('.patch')
  expect((await reply.text()).match(/^\+\w.*$/gm)).toEqual(['+committed', '+loose'])
})

describe('a merge request', () => {
  it('is opened once for a branch that is pushed, and its number is kept', async () => {
    const conversation = await startInRepository(service)
    const { params } = conversation
    const find = () => service.client.call(findPullRequest, { params })
    const open = (body: object) => service.client.call(openPullRequest, { params, body: { title: 'Add it', ...body } })
    await conversation.run('echo r >r.txt')
    await commit(conversation, { new_branch: 'requested' })
    await expect(open({})).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Push it') })
    await push(conversation)
    expect(await find()).toBeNull()
    const { pull_request, existing } = await open({ body: 'Because.', draft: true })
    expect(existing).toBe(false)
    expect(pull_request).toMatchObject({ git_provider: 'gitlab', title: 'Draft: Add it', draft: true, base: 'main' })
    expect(pull_request.url).toContain('/team/tool/-/merge_requests/')
    expect(await find()).toEqual(pull_request)
    expect(await open({ title: 'Again' })).toEqual({ pull_request, existing: true })
    const [shown] = await service.client
      .call(searchAppConversations, { query: { limit: 1 } })
      .then(({ items }) => items)
    expect(shown?.pr_number).toEqual([pull_request.number])
    expect(remote.provider.pullRequests.opened.at(-1)?.asked.description).toBe('Because.')
  })

  it('is none from the branch that it would be merged into', async () => {
    const { params } = await startInRepository(service)
    const refused = service.client.call(openPullRequest, { params, body: { title: 'Into itself' } })
    await expect(refused).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('into itself') })
  })
})
