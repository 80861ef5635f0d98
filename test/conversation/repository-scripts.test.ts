import { describe, expect } from 'vitest'
import { installGitHook, removeGitHook, runSetupScript } from '../../server/conversation/start/repository-scripts.ts'
import type { CommandRequest } from '../../server/domain/sandbox-handle.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { inspectScripts } from '../../server/trust/inspect.ts'
import { it as base } from '../fixtures/sandbox.ts'

const it = base
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))
  .extend('sh', { scope: 'file' }, ({ sandbox }) => async (script: string, cwd = '/') => {
    const { exitCode, stdout, stderr } = await sandbox.exec({ argv: ['/bin/sh', '-c', script], cwd })
    return { exitCode, said: stdout + stderr }
  })
  /** Commits it as a file that is not executable. */
  .extend('commit', { scope: 'file' }, ({ sandbox, sh }) => async (path: string, script: string): Promise<void> => {
    await sandbox.writeFile(`${FOLDER}/${path}`, Buffer.from(script))
    await sh(`chmod 644 ${path} && git add -A && ${COMMIT} start`, FOLDER)
  })
  .extend('status', { scope: 'file' }, ({ sh }) => async () => {
    return (await sh('git status --porcelain', FOLDER)).said
  })
  .extend('scripts', { scope: 'file' }, ({ sandbox }) => () => {
    return inspectScripts(sandbox, FOLDER, { repository: 'example.org/shop', signal })
  })
  .extend('install', { scope: 'file' }, ({ sandbox, scripts }) => async () => {
    const [item] = await scripts()
    if (item) await installGitHook(sandbox, FOLDER, { item, signal })
  })
  /** What the set-up script has said in this test, line by line. */
  .extend('told', (): string[] => [])
  /** Runs the set-up script as it is now. */
  .extend('setUp', ({ sandbox, scripts, told }) => async (env: Record<string, string> = {}, handle = sandbox) => {
    const [item] = await scripts()
    if (!item) throw new Error('There is no set-up script.')
    const onLine = (line: string) => void told.push(line)
    return runSetupScript(handle, FOLDER, { item, env, mask: createMask([]), signal, onLine })
  })

const FOLDER = '/workspace/project/shop'
const COMMIT = 'git -c user.name=Ann -c user.email=ann@example.org commit -q --allow-empty -m'
const { signal } = new AbortController()

it.beforeEach(async ({ sh }) => {
  await sh(`rm -rf ${FOLDER} && mkdir -p ${FOLDER} && git init -q ${FOLDER}`)
})

describe('the set-up script of a repository', () => {
  it.for<[string, string, RegExp]>([
    ['bash where its first line says so', '#!/bin/bash\n[[ a == a ]] && echo "ran $BASH_VERSION"\n', /^ran \d/],
    ['the interpreter that env finds', '#!/usr/bin/env bash\n[[ a == a ]] && echo ran\n', /^ran$/],
    ['an interpreter with its option', '#! /bin/sh -e\necho ran\nfalse\necho not this\n', /ran$/],
    ['another language', '#!/usr/bin/python3\nimport sys; print("ran", sys.argv[0])\n', /^ran .*setup\.sh$/],
    ['a first line that ends as in DOS', '#!/bin/sh\r\necho ran #\r\n', /^ran/],
    ['bash when it names none', '[[ a == a ]] && echo ran', /^ran$/],
  ])(
    'runs with %s, and the repository stays as it was',
    async ([_how, script, said], { commit, setUp, told, status }) => {
      await commit('.openhands/setup.sh', script)
      await setUp()
      expect(told.filter(line => said.test(line))).not.toEqual([])
      expect(told.at(-1)).not.toContain('not this')
      expect(await status()).toBe('')
    },
  )

  it('gets the secrets that it is given', async ({ commit, setUp, sh }) => {
    await commit('.openhands/setup.sh', 'echo got $DEPLOY_TOKEN >/tmp/got')
    const { outcome } = await setUp({ DEPLOY_TOKEN: 's3cret' })
    expect((await sh('cat /tmp/got')).said.trim()).toBe('got s3cret')
    expect(outcome).toBe('The setup script ended with exit code 0.')
  })

  it.for<[string, string]>([
    ['the script', '.openhands/setup.sh'],
    ['a file that it names', 'tools/install.sh'],
  ])(
    'does not run with secrets when %s is changed after it was read (time of check, time of use)',
    async ([_what, path], { commit, sh, sandbox, setUp }) => {
      await commit('tools/install.sh', 'echo installed\n')
      await commit('.openhands/setup.sh', 'echo $DEPLOY_TOKEN >/tmp/stolen; sh tools/install.sh\n')
      await sh('rm -f /tmp/stolen')
      const racing = Object.create(sandbox, {
        exec: {
          value: async (request: CommandRequest) => {
            if (request.env) await sh(`echo 'echo $DEPLOY_TOKEN >/tmp/stolen' >${path}`, FOLDER)
            return sandbox.exec(request)
          },
        },
      })
      const { outcome } = await setUp({ DEPLOY_TOKEN: 's3cret' }, racing)
      expect(outcome).toMatch(/exit code 97\. It said: .*has changed since it was read/)
      expect((await sh('cat /tmp/stolen')).exitCode).not.toBe(0)
    },
  )

  it('tells that its interpreter is missing', async ({ commit, setUp }) => {
    await commit('.openhands/setup.sh', '#!/opt/none\necho ran\n')
    expect((await setUp()).outcome).toMatch(/exit code 127\. It said: .*\/opt\/none/)
  })
})

describe('the pre-commit script of a repository', () => {
  it('is not run with other content than was trusted, whether it or a file that it names has changed', async ({
    commit,
    sh,
    install,
  }) => {
    await commit('tools/check.sh', 'true\n')
    await commit('.openhands/pre-commit.sh', 'sh tools/check.sh && echo ran >>/tmp/ran\n')
    await sh('rm -f /tmp/ran')
    await install()
    expect((await sh(`${COMMIT} one`, FOLDER)).exitCode).toBe(0)
    expect((await sh('cat /tmp/ran')).said).toBe('ran\n')
    for (const path of ['tools/check.sh', '.openhands/pre-commit.sh']) {
      const { exitCode, said } = await sh(
        `cp ${path} /tmp/kept; echo 'echo evil >>/tmp/ran' >${path}; ${COMMIT} two`,
        FOLDER,
      )
      expect({ exitCode, said }).toEqual({
        exitCode: 0,
        said: `${path} has changed since a person trusted it, so that .openhands/pre-commit.sh was not run.\n`,
      })
      await sh(`cp /tmp/kept ${path}`, FOLDER)
    }
    expect((await sh('cat /tmp/ran')).said).toBe('ran\n')
  })

  it('is removed whole, and a hook that was there before is back', async ({ commit, sh, install, sandbox }) => {
    await commit('.openhands/pre-commit.sh', 'echo ours >>/tmp/ran\n')
    await sh(
      "rm -f /tmp/ran; printf '#!/bin/sh\\necho theirs >>/tmp/ran\\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
      FOLDER,
    )
    await install()
    await sh(`${COMMIT} one`, FOLDER)
    expect((await sh('cat /tmp/ran')).said).toBe('theirs\nours\n')
    await removeGitHook(sandbox, FOLDER, signal)
    await sh(`${COMMIT} two`, FOLDER)
    expect((await sh('cat /tmp/ran; ls .git/hooks | grep pre-commit.trusted', FOLDER)).said).toBe(
      'theirs\nours\ntheirs\n',
    )
  })

  it.for<[string, string]>([
    ['sh', '#!/bin/sh\n'],
    ['bash', '#!/usr/bin/env bash\n[[ a == a ]] || exit 3\n'],
    ['bash, named by nobody', '[[ a == a ]] || exit 3\n'],
  ])('decides over commits, run by %s, and stays as it was', async ([_what, head], { commit, install, status, sh }) => {
    await commit('.openhands/pre-commit.sh', `${head}[ -d .git ] && ! grep -rq FORBIDDEN src\n`)
    await install()
    expect(await status()).toBe('')
    expect(await sh(`mkdir src && echo fine >src/a && git add src && ${COMMIT} fine`, FOLDER)).toMatchObject({
      exitCode: 0,
    })
    expect(await sh(`echo FORBIDDEN >src/a && git add src && ${COMMIT} bad`, `${FOLDER}/src`)).not.toMatchObject({
      exitCode: 0,
    })
  })
})
