import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureElectron } from '../electron.mjs'
import { runMain, SetupError, step } from '../machine/progress.mjs'
import { ensurePackage } from '../package.mjs'

const LIMIT_MS = 120_000
const KEY = 'sk-of-this-check'

/** `node build/package/smoke.mjs [PROGRAM]`: whether the packaged app, that of a release unless another is named, starts its service and that answers. */
await runMain(async () => {
  const program = process.argv[2] ?? (await ensurePackage(await ensureElectron(), { release: true }))
  await step('Starting the service of the packaged app', () => check(program))
})

/** @param {string} program */
async function check(program) {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-smoke-'))
  const ports = { ATELIER_PORT: '0', ATELIER_GATEWAY_PORT: '0', ATELIER_PREVIEW_PORT: '0' }
  const env = { ...process.env, ...ports, SESSION_API_KEY: KEY, ATELIER_DATA_DIR: dataDir }
  const isLinux = process.platform === 'linux'
  const command = isLinux ? join(dirname(program), 'bin', 'atelier') : program
  const child = spawn(command, isLinux ? ['serve'] : ['--command', '--', 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  try {
    let text = ''
    for await (const chunk of child.stdout) {
      text += chunk
      const address = /"(http:\/\/127\.0\.0\.1:\d+)"/.exec(text)?.[1]
      if (!address) continue
      const headers = { 'X-Session-API-Key': KEY }
      const { status } = await fetch(`${address}/api/v1/storage`, { headers })
      if (status !== 200) throw new SetupError(`The service of the packaged app answers with ${status}.`)
      return
    }
    throw new SetupError(`The packaged app ended, or said no address in ${LIMIT_MS / 1000} seconds.`)
  } finally {
    clearTimeout(timer)
    const ended = new Promise(resolve => child.once('exit', resolve))
    if (child.exitCode === null && child.signalCode === null && child.kill()) await ended
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}
