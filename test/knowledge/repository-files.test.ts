import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SandboxHandle } from '../../server/domain/sandbox-handle.ts'
import { loadSkills } from '../../server/knowledge/load-skills.ts'
import { readRepositoryFiles } from '../../server/knowledge/repository-files.ts'
import { startTestSandbox, type TestSandbox } from '../parts/engine/sandbox.ts'

const signal = new AbortController().signal
const DEPLOY = '---\nname: deploy\ntriggers: [deploy]\n---\nAsk first.\n'

async function fill(sandbox: SandboxHandle, folder: string, files: Record<string, string>): Promise<void> {
  const entries = Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }))
  await sandbox.writeFiles(folder, entries)
}

async function run(sandbox: SandboxHandle, cwd: string, script: string): Promise<void> {
  const { exitCode, stderr } = await sandbox.exec({ argv: ['/bin/sh', '-ec', script], cwd })
  expect([exitCode, stderr]).toEqual([0, ''])
}

describe('the files of a repository', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox()
  })
  afterAll(() => sandbox?.close())

  const read = (folder: string) => readRepositoryFiles(sandbox.handle, folder, signal)
  const paths = async (folder: string) => (await read(folder)).skills.map(({ path }) => path)

  it('are found in every place, also nested and in any case, without what git ignores', async () => {
    await fill(sandbox.handle, '/w/all', {
      '.agents/skills/tea/SKILL.md': 'tea',
      '.agents/skills/tea/references/more.md': 'no skill',
      '.openhands/skills/a.md': 'a',
      '.openhands/microagents/deep/er/b.md': 'b',
      '.openhands/microagents/README.md': 'no skill',
      '.openhands/hooks.json': '{"Stop": []}',
      '.openhands_instructions': 'old',
      '.cursorrules': 'c',
      'agents.md': 'root',
      'CLAUDE.md': 'c',
      'api/AGENTS.md': 'api',
      'ünï/AGENTS.md': 'ünï',
      'node_modules/x/AGENTS.md': 'ignored',
      '.gitignore': 'node_modules\n',
    })
    await run(sandbox.handle, '/w/all', 'git init -q')
    const found = await read('/w/all')
    expect(found.problems).toEqual([])
    expect(found.hooks).toBe('{"Stop": []}')
    expect(found.skills.map(({ path }) => path).toSorted()).toEqual([
      '.agents/skills/tea/SKILL.md',
      '.cursorrules',
      '.openhands/microagents/deep/er/b.md',
      '.openhands/skills/a.md',
      '.openhands_instructions',
      'CLAUDE.md',
      'agents.md',
      'api/AGENTS.md',
      'ünï/AGENTS.md',
    ])
    expect(found.skills.find(({ path }) => path === 'ünï/AGENTS.md')).toEqual({
      source: 'repository',
      root: '/w/all',
      path: 'ünï/AGENTS.md',
      text: 'ünï',
    })
  })

  it('are found without git too', async () => {
    await fill(sandbox.handle, '/w/plain', { 'a/AGENTS.md': 'a', 'node_modules/AGENTS.md': 'not', 'AGENTS.md': 'r' })
    expect(await paths('/w/plain')).toEqual(['AGENTS.md', 'a/AGENTS.md'])
  })

  it('of the working directory come before those of the repository around it', async () => {
    await fill(sandbox.handle, '/w/mono', {
      '.openhands/microagents/deploy.md': DEPLOY,
      'AGENTS.md': 'around',
      'app/.openhands/microagents/deploy.md': DEPLOY.replace('Ask', 'Wait'),
      'app/sub/AGENTS.md': 'sub',
    })
    await run(sandbox.handle, '/w/mono', 'git init -q')
    const places = { sandbox: sandbox.handle, workingDir: '/w/mono/app', userHome: null, model: null }
    const { skills, problems } = await loadSkills(places, signal)
    expect(skills.map(({ name, content }) => [name, content])).toEqual([
      ['deploy', 'Wait first.\n'],
      ['AGENTS', 'around'],
      ['sub/AGENTS', 'sub'],
    ])
    expect(problems).toHaveLength(1)
  })

  it('are followed through links inside the repository and nowhere else', async () => {
    await fill(sandbox.handle, '/w/links', { 'docs/guide.md': 'guide', 'tools/tea/SKILL.md': 'tea', 'AGENTS.md': 'r' })
    await fill(sandbox.handle, '/outside', { 'secret.md': 'do not read', 'deep/x.md': 'do not read' })
    await run(
      sandbox.handle,
      '/w/links',
      `git init -q
      mkdir -p .openhands/microagents .agents/skills
      ln -s ../../docs/guide.md .openhands/microagents/guide.md
      ln -s /etc/shadow .openhands/microagents/shadow.md
      ln -s /outside/secret.md .openhands/microagents/secret.md
      ln -s ../../../../outside/secret.md .openhands/microagents/climb.md
      ln -s loop.md .openhands/microagents/loop.md
      ln -s ../../tools/tea .agents/skills/tea
      ln -s /outside .agents/skills/outside
      ln -s /outside .openhands/skills
      ln -s /outside/secret.md CLAUDE.md
      ln -s /outside/secret.md .openhands/hooks.json`,
    )
    const found = await read('/w/links')
    expect(found.skills.map(({ path, text }) => [path, text])).toEqual([
      ['.agents/skills/tea/SKILL.md', 'tea'],
      ['.openhands/microagents/guide.md', 'guide'],
      ['AGENTS.md', 'r'],
    ])
    expect(found.hooks).toBeNull()
    expect(JSON.stringify(found)).not.toContain('do not read')
    const told = found.problems.filter(problem => problem.includes('leads out of the repository'))
    expect(told.map(problem => problem.split(' ')[0]).toSorted()).toEqual([
      '.openhands/hooks.json',
      '.openhands/microagents/climb.md',
      '.openhands/microagents/loop.md',
      '.openhands/microagents/secret.md',
      '.openhands/microagents/shadow.md',
      '.openhands/skills',
      'CLAUDE.md',
    ])
  })

  it('cannot be a link as a whole', async () => {
    await fill(sandbox.handle, '/outside2', { '.openhands/microagents/x.md': 'do not read' })
    await run(sandbox.handle, '/', 'mkdir -p /w/whole; ln -s /outside2/.openhands /w/whole/.openhands')
    const found = await read('/w/whole')
    expect(found.skills).toEqual([])
    expect(found.problems).toHaveLength(1)
  })

  it('cannot be too large or too many, and say so', async () => {
    const many = Object.fromEntries([...Array(300).keys()].map(index => [`.openhands/skills/f${index}.md`, 'x']))
    await fill(sandbox.handle, '/w/many', { ...many, '.agents/skills/big.md': 'x'.repeat(300 * 1024) })
    const found = await read('/w/many')
    expect(found.skills.length).toBeLessThanOrEqual(200)
    expect(found.problems).toEqual([
      '.agents/skills/big.md is larger than 256 KiB.',
      expect.stringContaining('too many files'),
    ])
    const heavy = Object.fromEntries(
      [...Array(12).keys()].map(index => [`.openhands/skills/h${index}.md`, 'x'.repeat(2 ** 18)]),
    )
    await fill(sandbox.handle, '/w/heavy', heavy)
    expect((await read('/w/heavy')).skills).toHaveLength(8)
  })

  it('may have any name and any content', async () => {
    await run(
      sandbox.handle,
      '/',
      `mkdir -p '/w/odd/.openhands/skills'; cd /w/odd/.openhands/skills
      printf 'a' >'a b $(touch owned) "q".md'; printf 'n' >'new
line.md'; printf 'x\\000y' >binary.md; printf '\\377\\376' >latin.md; : >-n.md; mkfifo pipe.md; mkdir dir.md`,
    )
    const found = await read('/w/odd')
    expect(found.skills.map(({ path }) => path).toSorted()).toEqual([
      '.openhands/skills/-n.md',
      '.openhands/skills/a b $(touch owned) "q".md',
      '.openhands/skills/latin.md',
      '.openhands/skills/new\nline.md',
    ])
    expect(found.problems).toEqual(['.openhands/skills/binary.md is not text.'])
    expect(await sandbox.handle.stat('/w/odd/owned')).toBeUndefined()
  })
})

describe('in an image with next to nothing', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await startTestSandbox('busybox')
  })
  afterAll(() => sandbox?.close())

  it('they are found all the same, and no link leads out', async () => {
    await fill(sandbox.handle, '/w', { '.openhands/microagents/a/deploy.md': DEPLOY, 'AGENTS.md': 'r', 'x/y.md': 'y' })
    await run(sandbox.handle, '/w', 'ln -s /etc/passwd .openhands/microagents/link.md')
    const found = await readRepositoryFiles(sandbox.handle, '/w', signal)
    expect(found.skills.map(({ path }) => path)).toEqual(['.openhands/microagents/a/deploy.md', 'AGENTS.md'])
  })
})
