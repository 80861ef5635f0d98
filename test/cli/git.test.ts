import { describe, expect } from 'vitest'
import { it as base } from '../fixtures/service.ts'
import { type CommandOptions, command, jsonLines, startCommand } from '../parts/command-line.ts'
import { startInRepository, startProviderWithRepository, storeToken } from '../parts/provider-repository.ts'

const test = base
  .extend('remote', { scope: 'file' }, async ({}, { onCleanup }) => {
    const remote = await startProviderWithRepository()
    onCleanup(() => remote.close())
    return remote
  })
  .extend('settings', { scope: 'file' }, ({ model }) => ({
    llm_model: 'openai/scripted',
    llm_base_url: model.url.openai,
    llm_api_key: 'sk-test',
  }))
  .extend('serviceOptions', { scope: 'file' }, ({ settings }) => ({
    settings: { ...settings, allowed_hosts: ['host.docker.internal'] },
  }))
  .extend('conversation', { scope: 'file' }, async ({ service, remote }) => {
    await storeToken(service, remote.provider)
    return startInRepository(service)
  })
  .extend('id', { scope: 'file' }, ({ conversation }) => conversation.params.conversation_id)
  .extend('options', { scope: 'file' }, ({ service }) => (more: CommandOptions = {}): CommandOptions => {
    return {
      ...more,
      env: { ATELIER_DATA_DIR: service.dataDir, SESSION_API_KEY: service.key },
    }
  })
  .extend('run', { scope: 'file' }, ({ options }) => (words: string[], more?: CommandOptions) => {
    return command(words, options(more))
  })

describe('a conversation in a repository', () => {
  test('has nothing to commit, to push or to look at before anything was changed', async ({ run, id }) => {
    expect(await run(['commit', id, '-m', 'Nothing'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/nothing to commit/),
    })
    expect(await run(['push', id, '--yes'])).toMatchObject({ code: 4, stdout: '' })
    expect(await run(['pr', id, '--status'])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Open one with'),
    })
  })

  test('is committed to by file, with a message from stdin, on a new branch', async ({ conversation, id, run }) => {
    await conversation.run('echo one >one.txt; echo two >two.txt')
    const words = ['commit', id, 'one.txt', '-m', '-', '--branch', 'jars']
    const { code, stdout, stderr } = await run(words, { input: 'Add one\n\nIt was missing.\n' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 file on the branch jars.\n' })
    expect(stdout).toMatch(/^[0-9a-f]{10} Add one\n$/)
    expect(await conversation.run('git log -1 --format=%B; git status --porcelain')).toBe(
      'Add one\n\nIt was missing.\n\n?? two.txt\n',
    )
  })

  test('is amended, and keeps its message', async ({ run, id, conversation }) => {
    expect(await run(['commit', id, '--amend'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(' Add one\n'),
    })
    expect(await conversation.run('git show --format= --name-only; git rev-list --count main..')).toBe(
      'one.txt\ntwo.txt\n1\n',
    )
  })

  test('is committed to with a message that the model drafts', async ({ conversation, model, run, id }) => {
    await conversation.run('echo three >three.txt')
    model.setScript([{ text: 'Add a third jar' }])
    const { code, stdout } = await run(['commit', id, '--json'])
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({ branch: 'jars', files: 1, message: 'Add a third jar' }),
    ])
  })

  test('takes files or what is staged, not both', async ({ run, id }) => {
    expect(await run(['commit', id, 'one.txt', '--staged', '-m', 'x'])).toMatchObject({ code: 2 })
  })
})

describe('a push', () => {
  test('needs somebody who says yes', async ({ run, id, options, remote }) => {
    const { code, stderr } = await run(['push', id])
    expect(code).toBe(2)
    expect(stderr).toMatch(/2 commits of the branch jars to http:.*team\/tool\.git\n[0-9a-f]{10} Add a third jar\n/)
    expect(stderr).toContain('--yes')
    const asked = startCommand(['push', id], options({ tty: true }))
    await asked.until(/Push them\? \[y\/N\]/)
    asked.process.stdin?.write('n\n')
    expect(await asked.ended).toMatchObject({ code: 4, stdout: expect.stringContaining('Nothing was changed.') })
    await expect(remote.git.git('team/tool', 'rev-parse', '--verify', 'jars')).rejects.toThrow()
  })

  test('puts the branch at the remote', async ({ run, id, remote }) => {
    const { code, stdout } = await run(['push', id, '--yes'])
    const sha = (await remote.git.git('team/tool', 'rev-parse', 'jars')).trim()
    expect({ code, stdout }).toEqual({ code: 0, stdout: `origin/jars ${sha.slice(0, 10)}\n` })
  })
})

describe('a pull request', () => {
  test('is opened with a text that the model drafts, and found again', async ({ model, run, id }) => {
    model.setScript([{ text: 'Add three jars\n\nOne for each plum.' }])
    const { code, stdout, stderr } = await run(['pr', id, '--yes', '--draft'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^http.*\n$/) })
    expect(stderr).toContain('Add three jars\nOne for each plum.')
    const again = await run(['pr', id, '--yes', '--title', 'Other', '--reviewer', 'ann', 'zoe', '--json'])
    expect(jsonLines(again.stdout)).toEqual([
      expect.objectContaining({ existing: true, base: 'main', reviewers_problem: expect.stringContaining('zoe') }),
    ])
  })

  test('shows its checks and open comments, and lets the agent work on them', async ({ remote, run, id, model }) => {
    remote.provider.pullRequests.set(1, {
      checks: [{ id: 501, name: 'unit \u001b[31mtests', passed: false, log: 'expected 1 to be 2' }],
      threads: [{ path: 'one.txt', line: 1, resolved: false, said: [['ann', 'Why one?\nTell us.']] }],
    })
    const { code, stdout } = await run(['pr', id, '--status'])
    expect(code).toBe(0)
    expect(stdout).toContain('check: failed unit ')
    expect(stdout).toContain('comment: one.txt:1 Why one?\n')
    expect(stdout).not.toContain('\u001b')
    model.setScript([{ text: 'It is mended.' }])
    expect((await run(['pr', id, '--task', 'fix-checks'])).code).toBe(0)
    expect(await run(['attach', id, '--all'])).toMatchObject({ stdout: expect.stringContaining('It is mended.') })
    expect(await run(['pr', id, '--task', 'fix-checks', '--status'])).toMatchObject({ code: 2 })
  })
})
