import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runMain, SetupError, step } from '../machine/progress.mjs'
import { packagedProgram } from '../package.mjs'

const LIMIT_MS = 120_000
const KEY = 'sk-of-this-check'

/**
 * `node build/package/smoke.mjs [PROGRAM]`: whether the packaged app, that of a release unless another is named, starts its service, whether
 * that answers and has the sandbox image, and whether it ends when it is told to.
 */
await runMain(async () => {
  const program = process.argv[2] ?? packagedProgram(true)
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
  /** @type {Promise<{code: number | null, signal: NodeJS.Signals | null}>} */
  const ended = new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', cause => reject(new SetupError(`${command} could not be started: ${cause.message}`)))
  })
  // Until the app has ended: one that hangs then is broken too.
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  try {
    await Promise.race([ask(child.stdout), ended.then(saysNothing)])
    child.kill()
    requireGoodEnd(await ended)
  } finally {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended
    clearTimeout(timer)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** @param {import('node:stream').Readable} stdout of the service, which says its address there */
async function ask(stdout) {
  const response = await fetch(`${await addressIn(stdout)}/api/v1/system`, { headers: { 'X-Session-API-Key': KEY } })
  if (response.status !== 200) throw new SetupError(`The service of the packaged app answers with ${response.status}.`)
  const { sandbox_image: image } = await response.json()
  if (image.state === 'not_bundled') {
    throw new SetupError('The packaged app has no sandbox image. Run node build/image.mjs, and package it again.')
  }
}

/**
 * @param {import('node:stream').Readable} stdout
 * @returns {Promise<string>}
 */
function addressIn(stdout) {
  return new Promise(resolve => {
    let text = ''
    stdout.on('data', chunk => {
      text += chunk
      const address = /"(http:\/\/127\.0\.0\.1:\d+)"/.exec(text)?.[1]
      if (address) resolve(address)
    })
  })
}

function saysNothing() {
  throw new SetupError(`The packaged app ended before it answered, or did not answer in ${LIMIT_MS / 1000} seconds.`)
}

/**
 * Windows has no signals: a process that is told to end is ended there, and says nothing of itself.
 * @param {{code: number | null, signal: NodeJS.Signals | null}} end
 */
function requireGoodEnd({ code, signal }) {
  if (code === 0 || (process.platform === 'win32' && signal === 'SIGTERM')) return
  throw new SetupError(
    `The packaged app was told to end, and ended with ${signal ?? code}, or did not end in ${LIMIT_MS / 1000} seconds.`,
  )
}
