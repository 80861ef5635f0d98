import { describe, expect } from 'vitest'
import { getGitState } from '../../../server/api/v1/git/commits.ts'
import { createSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { testEngine } from '../../parts/engine/containers.ts'
import { PROVIDER_TOKEN, pushSeen, startProviderWithRepository, storeToken } from '../../parts/provider-repository.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { allowed_hosts: ['localhost'] }),
  }))
  .extend('remote', { scope: 'file' }, async ({}, { onCleanup }) => {
    const remote = await startProviderWithRepository()
    onCleanup(() => remote.close())
    return remote
  })
  .extend('specs', { scope: 'file' }, async ({ service }) => {
    const [builtIn] = (await service.client.call(searchSandboxSpecs, { query: {} })).items
    const body = { title: 'Closed', image: builtIn?.image ?? '', network: 'none' as const }
    const { id } = await service.client.call(createSandboxSpec, { body })
    return { closed: id, reaching: builtIn?.id ?? '' }
  })

async function run(sandbox: string | null, script: string, cwd: string): Promise<string> {
  const engine = testEngine()
  try {
    const stream = await engine.exec(sandbox ?? '', { argv: ['/bin/sh', '-c', script], cwd })
    let printed = ''
    for await (const chunk of stream.stdout) printed += String(chunk)
    stream.close()
    return printed
  } finally {
    await engine.close()
  }
}

const LOOKS = 'git status; git log --decorate; git branch -avv; git remote -v; git tag; cat .git/config; git reflog; ls'

describe('a conversation whose sandbox has no network', () => {
  it('works in a clone that is as one through the network', async ({ service, git, specs }) => {
    await git.add('tool', { 'main.txt': 'on main\n' })
    await git.add('tool', { 'side.txt': 'on the branch\n' }, 'feature/side')
    await git.git(
      'tool',
      '-c',
      'user.name=Test',
      '-c',
      'user.email=t@example.invalid',
      'tag',
      '-am',
      'One',
      'v1',
      'main',
    )
    for (const selected_branch of [null, 'feature/side']) {
      const looks: string[] = []
      for (const sandbox_spec_id of [specs.closed, specs.reaching]) {
        const asked = { selected_repository: git.url('tool'), selected_branch, sandbox_spec_id }
        const task = await startConversation(service, asked)
        expect(task).toMatchObject({ status: 'READY', detail: null })
        looks.push(await run(task.sandbox_id, LOOKS, '/workspace/project/tool'))
        const state = { params: { conversation_id: task.app_conversation_id ?? '' } }
        expect(await service.client.call(getGitState, state)).toMatchObject({
          branch: selected_branch ?? 'main',
          default_branch: 'main',
          ahead: 0,
          behind: 0,
          files: [],
        })
      }
      expect(looks[0]).toContain('nothing to commit, working tree clean')
      expect(looks[0]).toBe(looks[1])
    }
  })

  it('takes a private repository with the stored token, and pushes to it', async ({ service, remote, specs }) => {
    await storeToken(service, remote.provider)
    await service.client.call(storeSettingsV1, { body: { allowed_hosts: [] } })
    const asked = { selected_repository: 'team/tool', git_provider: 'gitlab' as const, sandbox_spec_id: specs.closed }
    const task = await startConversation(service, asked)
    expect(task).toMatchObject({ status: 'READY', detail: null })
    const folder = '/workspace/project/tool'
    const found = `cat main.txt; grep -rs ${PROVIDER_TOKEN} / --exclude-dir=proc --exclude-dir=sys && echo FOUND || echo CLEAN`
    expect(await run(task.sandbox_id, found, folder)).toBe('private\nCLEAN\n')
    await run(task.sandbox_id, 'git checkout -qb work; echo new >new.txt; git add -A; git commit -qm "Add it"', folder)
    const params = { conversation_id: task.app_conversation_id ?? '' }
    await pushSeen(service, { params, run: async () => '' })
    expect(await remote.git.git('team/tool', 'log', '-1', '--format=%s', 'work')).toBe('Add it\n')
    await service.client.call(storeSettingsV1, { body: { allowed_hosts: ['localhost'] } })
  })

  it('says why nothing is cloned, and goes with its sandbox', async ({ service, git, specs }) => {
    const start = (selected_repository: string, selected_branch: string | null = null) =>
      startConversation(service, { selected_repository, selected_branch, sandbox_spec_id: specs.closed })
    const failures = [
      [await start(git.url('missing')), 'has no such repository'],
      [await start(git.url('tool'), 'missing'), 'remote branch missing not found'],
      [await start('git@git.example.com:a/b.git'), 'Give its https address'],
      [await start('http://localhost:1/a/b.git'), 'Nothing answers at localhost:1.'],
    ] as const
    for (const [task, words] of failures) {
      expect(task).toMatchObject({ status: 'ERROR', app_conversation_id: null, detail: expect.stringContaining(words) })
    }
    await service.client.call(storeSettingsV1, { body: { allowed_hosts: [] } })
    const closed = await start(git.url('tool'))
    expect(closed.detail).toContain(
      `Allow localhost:${git.port} in Settings › Privacy (allowed_hosts), then try again.`,
    )
  })
})
