import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isRunning } from '../../server/discovery-file.ts'
import { it as base } from '../fixtures/keyring.ts'
import { command, startCommand } from '../parts/command-line.ts'
import { BESIDE_OTHERS } from '../parts/service/environment.ts'

const test = base
  .extend('dataDir', { scope: 'file' }, ({}) => mkdtempSync(join(tmpdir(), 'atelier-login-')))
  .extend('env', { scope: 'file' }, ({ keyring, dataDir }) => () => {
    return {
      ...keyring.env,
      SESSION_API_KEY: '',
      ATELIER_VAULT: '',
      ATELIER_DATA_DIR: dataDir,
      ...BESIDE_OTHERS,
    }
  })
  .extend('run', { scope: 'file' }, ({ env }) => (...words: string[]) => {
    return command(words, { env: env() })
  })

test.afterAll(async ({ run, dataDir }) => {
  await run('serve', '--stop')
  rmSync(dataDir, { recursive: true, force: true })
})

test('the service is started when none runs, the key is read once the person allowed it, and both can be taken back', async ({
  run,
  env,
  dataDir,
  keyring,
}) => {
  const began = await run('list', '--start')
  expect(began).toMatchObject({ code: 4, stderr: expect.stringContaining('atelier login') })
  expect(began.stderr).toMatch(/The service runs \(process \d+\)/)
  // Nobody sits here who could be asked.
  expect(await run('login')).toMatchObject({ code: 2 })
  const refused = startCommand(['login'], { env: env(), tty: true })
  await refused.until(/\[y\/N\]/)
  refused.process.stdin?.write('\n')
  expect((await refused.ended).code).toBe(4)
  expect((await run('list')).code).toBe(4)

  const allowed = startCommand(['login'], { env: env(), tty: true })
  await allowed.until(/\[y\/N\]/)
  allowed.process.stdin?.write('y\n')
  expect((await allowed.ended).code).toBe(0)
  expect(await run('list')).toMatchObject({ code: 0, stdout: '' })
  const note = join(dataDir, 'command-line-allowed')
  expect(statSync(note).mode & 0o777).toBe(0o600)
  expect(readFileSync(note, 'utf8')).toBe('atelier login\n')

  await keyring.lock()
  expect(await run('list')).toMatchObject({ code: 4, stderr: expect.stringContaining('locked') })
  await keyring.unlock()
  expect((await run('logout')).code).toBe(0)
  expect((await run('list')).code).toBe(4)
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8'))
  expect((await run('serve', '--stop')).code).toBe(0)
  expect(isRunning(pid)).toBe(false)
  expect(existsSync(join(dataDir, 'server.json'))).toBe(false)
  expect((await run('list')).code).toBe(3)
})

test('a second service of the same data folder is refused, and the reason is told', async ({ env, run }) => {
  const first = startCommand(['serve'], { env: env() })
  await first.until(/gateway_url/)
  const second = await run('serve')
  expect(second).toMatchObject({ code: 1 })
  expect(second.stderr).toContain('data folder is in use')
  first.process.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)
})
