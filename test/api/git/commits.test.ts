import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { searchAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { findPullRequest, openPullRequest } from '../../../server/api/v1/git/pull-requests.ts'
import { createSecretV1 } from '../../../server/api/v1/settings/secrets.ts'
import { it as base } from '../../fixtures/repository.ts'
import { type InRepository, startInRepository, storeToken } from '../../parts/provider-repository.ts'

const it = base.extend('download', { scope: 'file' }, ({ service }) => ({ params }: InRepository, kind: string) => {
  return fetch(`${service.url}/api/v1/app-conversations/${params.conversation_id}/git/${kind}`, {
    headers: { 'X-Session-API-Key': service.key },
  })
})

it.beforeAll(({ service, remote }) => storeToken(service, remote.provider))

describe('commits', () => {
  let conversation: InRepository

  it.beforeAll(async ({ service }) => {
    conversation = await startInRepository(service)
  })

  it('begin with a state that names the remote, and nothing to push', async ({ stateOf, commit }) => {
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

  it('list every kind of change, staged or not, whatever it is called', async ({ stateOf }) => {
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

  it('take the index as it is, then chosen files alone, on a new branch, then the rest', async ({
    commit,
    stateOf,
  }) => {
    expect(await commit(conversation, { scope: 'staged', new_branch: 'zweig/ä#1' })).toMatchObject({
      branch: 'zweig/ä#1',
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

  it('commit a file that is gone by its name', async ({ commit }) => {
    await conversation.run('rm main.txt')
    expect(await commit(conversation, { scope: 'paths', paths: ['main.txt'] })).toMatchObject({ files: 1 })
  })

  it('commit a file that the agent has removed from the index', async ({ commit }) => {
    await conversation.run('echo g >gone.txt; git add gone.txt; git commit -qm Gone; git rm -q gone.txt')
    expect(await commit(conversation, { scope: 'paths', paths: ['gone.txt'] })).toMatchObject({ files: 1 })
  })

  it('are amended until they are pushed', async ({ stateOf, commit, push }) => {
    const before = await stateOf(conversation)
    await commit(conversation, { message: 'Amended', amend: true })
    expect(await stateOf(conversation)).toMatchObject({ message: 'Amended', ahead: before.ahead })
    await push(conversation)
    expect((await stateOf(conversation)).amendable).toBe(false)
    await expect(commit(conversation, { amend: true })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('say what a hook said, and leave no new branch behind', async ({ commit, stateOf }) => {
    await conversation.run(
      'printf "#!/bin/sh\\necho tests fail >&2; exit 1\\n" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo h >h',
    )
    await expect(commit(conversation, { new_branch: 'never' })).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('tests fail'),
    })
    await conversation.run('rm .git/hooks/pre-commit')
    expect((await stateOf(conversation)).branch).toBe('zweig/ä#1')
    expect(await conversation.run('git branch --list never')).toBe('')
  })

  it('leave no new branch behind where none was checked out either', async ({ stateOf, commit }) => {
    await conversation.run(
      'git checkout -q --detach; printf "#!/bin/sh\\nexit 1\\n" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
    )
    const { head } = await stateOf(conversation)
    await expect(commit(conversation, { new_branch: 'never' })).rejects.toMatchObject({ code: 'git_refused' })
    await conversation.run('rm .git/hooks/pre-commit')
    expect(await stateOf(conversation)).toMatchObject({ branch: null, head })
    expect(await conversation.run('git branch --list never')).toBe('')
    await conversation.run('git checkout -q "zweig/ä#1"')
  })

  it('leave patterns their meaning in a hook', async ({ commit }) => {
    await conversation.run(
      'printf "#!/bin/sh\\ngit diff --cached --name-only -- \'*.note\' >&2; exit 1\\n" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; echo n >a.note',
    )
    const paths = { scope: 'paths', paths: ['a.note'] }
    await expect(commit(conversation, paths)).rejects.toMatchObject({ message: expect.stringContaining('a.note') })
    await conversation.run('rm .git/hooks/pre-commit')
  })

  it('take another message alone, and leave what is not committed as it is', async ({ commit, stateOf }) => {
    await commit(conversation, { scope: 'paths', paths: ['a.note'], message: 'Wrng' })
    await conversation.run('echo staged >>staged; git add staged')
    await commit(conversation, { scope: 'paths', amend: true, message: 'Wrong' })
    expect(await conversation.run('git log -1 --format=%s; git show --format= --name-only')).toBe('Wrong\na.note\n')
    expect((await stateOf(conversation)).files).toContainEqual({ path: 'staged', staged: 'UPDATED', unstaged: null })
  })

  it.for<[string, object, string]>([
    ['no name', { scope: 'paths' }, 'bad_request'],
    ['a file that is not there', { scope: 'paths', paths: ['nowhere'] }, 'git_refused'],
    ['a pattern', { scope: 'paths', paths: ['*'] }, 'git_refused'],
    ['a branch that is an option', { new_branch: '--force' }, 'bad_request'],
    ['a branch that is there', { new_branch: 'main' }, 'conflict'],
    ['no words', { message: ' \n' }, 'validation'],
  ])('refuse %s', async ([_, body, code], { commit }) => {
    await expect(commit(conversation, body)).rejects.toMatchObject({ code })
  })
})

describe('a merge with conflicts', () => {
  it('is committed as a whole, once its marks are gone', async ({ service, stateOf, commit }) => {
    const conversation = await startInRepository(service)
    const { run } = conversation
    await run(`git config user.name A; git config user.email a@e.invalid; git checkout -q -b other; echo ours >main.txt
      git commit -qam ours; git checkout -q main; echo theirs >main.txt; git commit -qam theirs; git merge -q other >&2 || true`)
    const unmerged = (await stateOf(conversation)).files
    expect(unmerged).toEqual([{ path: 'main.txt', staged: null, unstaged: 'CONFLICT' }])
    for (const body of [{ scope: 'paths', paths: ['main.txt'] }, { scope: 'all' }, { new_branch: 'merged' }]) {
      await expect(commit(conversation, body)).rejects.toMatchObject({ code: 'conflict' })
      expect((await stateOf(conversation)).files).toEqual(unmerged)
    }
    await run('echo both >main.txt')
    await commit(conversation, {})
    expect(await run('git show main:main.txt; git log -1 --format=%p main | wc -w')).toBe('both\n2\n')
  })
})

it('what a hook refuses leaves the index as it was', async ({ service, commit }) => {
  const conversation = await startInRepository(service)
  await conversation.run(
    'mkdir -p .git/hooks; printf "#!/bin/sh\nexit 1\n" >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
  )
  await conversation.run('echo staged >>main.txt; git add main.txt; echo more >>main.txt; echo new >new.txt')
  const before = await conversation.run('git status --porcelain')
  await expect(commit(conversation, {})).rejects.toMatchObject({ code: 'git_refused' })
  expect(await conversation.run('git status --porcelain')).toBe(before)
})

it('an amended commit keeps its message, and one without a message or with one that cannot be seen is refused', async ({
  service,
  commit,
}) => {
  const conversation = await startInRepository(service)
  await conversation.run('echo more >>main.txt')
  await commit(conversation, { message: 'Say more\n\nMuch more.' })
  await conversation.run('echo again >>main.txt')
  await commit(conversation, { message: null, amend: true })
  expect(await conversation.run('git log -1 --format=%B')).toBe('Say more\n\nMuch more.\n\n')
  await expect(commit(conversation, { message: null })).rejects.toMatchObject({ code: 'bad_request' })
  await expect(commit(conversation, { message: ' \u200b\n' })).rejects.toMatchObject({ status: 422 })
})

it('a secret in the name of a branch is hidden, and what is shown can be pushed', async ({
  service,
  commit,
  stateOf,
  push,
  remote,
}) => {
  const value = 'hunter2-supersecret-value'
  await service.client.call(createSecretV1, { body: { name: 'MINE', value } })
  const conversation = await startInRepository(service)
  await conversation.run('echo hidden >>main.txt')
  const made = await commit(conversation, { new_branch: value })
  expect(JSON.stringify([made, await stateOf(conversation)])).not.toContain(value)
  await push(conversation)
  expect((await remote.git.git('team/tool', 'rev-parse', value)).trim()).toBe(made.sha)
  const { params } = conversation
  const opened = await service.client.call(openPullRequest, { params, body: { title: `About ${value}` } })
  expect(JSON.stringify([opened, await service.client.call(findPullRequest, { params })])).not.toContain(value)
})

it('a patch can be applied whatever the settings of git are in the sandbox', async ({ service, download }) => {
  const conversation = await startInRepository(service)
  await conversation.run(
    'git config diff.noprefix true; git config diff.context 0; git config diff.submodule log; echo more >>main.txt',
  )
  const patch = await (await download(conversation, 'patch')).text()
  expect(patch).toContain('diff --git a/main.txt b/main.txt')
  expect(patch).toContain('\n private\n+more\n')
})

it('a patch holds what is committed and what is not', async ({ service, commit, download }) => {
  const conversation = await startInRepository(service)
  await conversation.run('echo committed >c.txt')
  await commit(conversation, {})
  await conversation.run('echo loose >l.txt')
  const reply = await download(conversation, 'patch')
  expect(reply.headers.get('content-disposition')).toContain('.patch')
  expect((await reply.text()).match(/^\+\w.*$/gm)).toEqual(['+committed', '+loose'])
})

it('a bundle holds the commits of the conversation, and git fetches from it', async ({
  service,
  download,
  commit,
  remote,
}) => {
  const conversation = await startInRepository(service)
  const none = await download(conversation, 'bundle')
  expect([none.status, await none.json()]).toMatchObject([409, { detail: expect.stringContaining('Commit first') }])
  await conversation.run('echo bundled >b.txt')
  const { sha } = await commit(conversation, { new_branch: 'bundled' })
  const reply = await download(conversation, 'bundle')
  expect(reply.headers.get('content-disposition')).toContain('.bundle')
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bundle-'))
  try {
    writeFileSync(join(folder, 'work.bundle'), Buffer.from(await reply.arrayBuffer()))
    const at = { cwd: (await remote.git.git('team/tool', 'rev-parse', '--absolute-git-dir')).trim() }
    execFileSync('git', ['fetch', '-q', join(folder, 'work.bundle'), 'bundled:from-bundle'], at)
  } finally {
    rmSync(folder, { recursive: true })
  }
  expect((await remote.git.git('team/tool', 'rev-parse', 'from-bundle')).trim()).toBe(sha)
  expect(await conversation.run('ls /tmp | grep tmp. || true')).toBe('')
})

describe('a merge request', () => {
  it('is opened once for a branch that is pushed, and its number is kept', async ({
    service,
    commit,
    push,
    remote,
  }) => {
    const conversation = await startInRepository(service)
    const { params } = conversation
    const find = () => service.client.call(findPullRequest, { params })
    const open = (body: object) => service.client.call(openPullRequest, { params, body: { title: 'Add it', ...body } })
    await conversation.run('echo r >r.txt')
    await commit(conversation, { new_branch: 'requested' })
    await expect(open({})).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Push it') })
    await push(conversation)
    expect(await find()).toBeNull()
    for (const other of [{ url: 'http://localhost/team/other.git' }, { branch: 'other' }]) {
      await expect(open(other)).rejects.toMatchObject({ code: 'conflict' })
    }
    const { pull_request, existing } = await open({ body: 'Because.', draft: true })
    expect(existing).toBe(false)
    expect(pull_request).toMatchObject({ git_provider: 'gitlab', title: 'Draft: Add it', draft: true, base: 'main' })
    expect(pull_request.url).toContain('/team/tool/-/merge_requests/')
    expect(await find()).toEqual(pull_request)
    expect(await open({ title: 'Again' })).toEqual({ pull_request, existing: true, reviewers_problem: null })
    const [shown] = await service.client
      .call(searchAppConversations, { query: { limit: 1 } })
      .then(({ items }) => items)
    expect(shown?.pr_number).toEqual([pull_request.number])
    expect(remote.provider.pullRequests.opened.at(-1)?.asked.description).toBe('Because.')
  })

  it('is none from the branch that it would be merged into', async ({ service }) => {
    const { params } = await startInRepository(service)
    const refused = service.client.call(openPullRequest, { params, body: { title: 'Into itself' } })
    await expect(refused).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('into itself') })
  })
})
