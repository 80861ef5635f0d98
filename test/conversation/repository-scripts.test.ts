import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { installGitHooks, runSetupScript } from '../../server/conversation/repository-scripts.ts'
import type { StepReport } from '../../server/conversation/start.ts'
import type { SandboxHandle } from '../../server/sandbox/handle.ts'
import { createMask } from '../../server/secret/mask.ts'
import { type Parts, startParts } from '../sandbox/parts.ts'

const FOLDER = '/workspace/project/shop'
const { signal } = new AbortController()
let parts: Parts
let sandbox: SandboxHandle
let told: string[]

beforeAll(async () => {
  parts = await startParts()
  sandbox = await parts.sandboxes.open((await parts.sandboxes.start()).id)
})
afterAll(() => parts?.close())
beforeEach(async () => {
  told = []
  await sh(`rm -rf ${FOLDER} && mkdir -p ${FOLDER} && git init -q ${FOLDER}`)
})

async function sh(script: string, cwd = '/') {
  const { exitCode, stdout, stderr } = await sandbox.exec({ argv: ['/bin/sh', '-c', script], cwd })
  return { exitCode, said: stdout + stderr }
}

/** Commits it as a file that is not executable. */
async function commit(path: string, script: string): Promise<void> {
  await sandbox.writeFile(`${FOLDER}/${path}`, Buffer.from(script))
  await sh(`chmod 644 ${path} && git add -A && ${COMMIT} start`, FOLDER)
}

const COMMIT = 'git -c user.name=Ann -c user.email=ann@example.org commit -q --allow-empty -m'
const context = {
  signal,
  sandboxStarted: () => {},
  agentServerFound: () => {},
  report: ({ detail }: Pick<StepReport, 'detail'>) => void (detail && told.push(detail)),
  secrets: { variables: () => [], forCommand: async () => ({}), mask: createMask([]), withheld: false },
}
const status = async () => (await sh('git status --porcelain', FOLDER)).said

describe('the set-up script of a repository', () => {
  it.each([
    ['bash where its first line says so', '#!/bin/bash\n[[ a == a ]] && echo "ran $BASH_VERSION"\n', /^ran \d/],
    ['the interpreter that env finds', '#!/usr/bin/env bash\n[[ a == a ]] && echo ran\n', /^ran$/],
    ['an interpreter with its option', '#! /bin/sh -e\necho ran\nfalse\necho not this\n', /ran$/],
    ['another language', '#!/usr/bin/python3\nimport sys; print("ran", sys.argv[0])\n', /^ran .*setup\.sh$/],
    ['a first line that ends as in DOS', '#!/bin/sh\r\necho ran #\r\n', /^ran/],
    ['bash when it names none', '[[ a == a ]] && echo ran', /^ran$/],
  ])('runs with %s, and the repository stays as it was', async (_how, script, said) => {
    await commit('.openhands/setup.sh', script)
    await runSetupScript(sandbox, FOLDER, context)
    expect(told.filter(line => said.test(line))).not.toEqual([])
    expect(told.at(-1)).not.toContain('not this')
    expect(await status()).toBe('')
  })

  it.each([
    [false, 'got s3cret', 'The setup script ended with exit code 0.'],
    [
      true,
      'got',
      'The setup script ended with exit code 0. It got no secrets, since this conversation asks before it acts.',
    ],
  ])('gets the secrets that it names, but none where a person wants to be asked: %s', async (withheld, said, end) => {
    await commit('.openhands/setup.sh', 'echo got $DEPLOY_TOKEN >/tmp/got')
    const secrets = {
      ...context.secrets,
      withheld,
      variables: () => [{ variable: 'DEPLOY_TOKEN', description: '' }],
      forCommand: async () => ({ DEPLOY_TOKEN: 's3cret' }),
    }
    await runSetupScript(sandbox, FOLDER, { ...context, secrets })
    expect((await sh('cat /tmp/got')).said.trim()).toBe(said)
    expect(told.at(-1)).toBe(end)
  })

  it('tells that its interpreter is missing', async () => {
    await commit('.openhands/setup.sh', '#!/opt/none\necho ran\n')
    await runSetupScript(sandbox, FOLDER, context)
    expect(told.at(-1)).toMatch(/exit code 127\. It said: .*\/opt\/none/)
  })
})

describe('the pre-commit script of a repository', () => {
  it.each([
    ['sh', '#!/bin/sh\n'],
    ['bash', '#!/usr/bin/env bash\n[[ a == a ]] || exit 3\n'],
    ['bash, named by nobody', '[[ a == a ]] || exit 3\n'],
  ])('decides over commits, run by %s, and stays as it was', async (_what, head) => {
    await commit('.openhands/pre-commit.sh', `${head}[ -d .git ] && ! grep -rq FORBIDDEN src\n`)
    await installGitHooks(sandbox, FOLDER, context)
    expect(told).toEqual(['The pre-commit hook is installed.'])
    expect(await status()).toBe('')
    expect(await sh(`mkdir src && echo fine >src/a && git add src && ${COMMIT} fine`, FOLDER)).toMatchObject({
      exitCode: 0,
    })
    expect(await sh(`echo FORBIDDEN >src/a && git add src && ${COMMIT} bad`, `${FOLDER}/src`)).not.toMatchObject({
      exitCode: 0,
    })
  })
})
