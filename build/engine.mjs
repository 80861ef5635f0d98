import { engineAdvice } from './engine/advice.mjs'
import { findEngine } from './engine/find.mjs'
import { startOwnEngine } from './engine/own.mjs'
import { canInstall, ensurePackages } from './machine/debian.mjs'
import { withLock } from './machine/lock.mjs'
import { isMain, runMain, say, step } from './machine/progress.mjs'

/**
 * Finds a Docker engine, or as root on Debian and Ubuntu installs and starts one.
 * @returns {Promise<import('./engine/find.mjs').Engine | undefined>} undefined where there is none; what to do was said
 */
export async function ensureEngine() {
  const found = await findEngine()
  if (found) return found
  if (canInstall() && !process.env.DOCKER_HOST) return withLock('engine', installEngine)
  const where = process.env.DOCKER_HOST ? ` at DOCKER_HOST (${process.env.DOCKER_HOST})` : ''
  say(`! No Docker engine answers${where}. Atelier opens without one and says the same. ${engineAdvice()}`)
  return undefined
}

async function installEngine() {
  await ensurePackages(['engine'])
  // Installing the package may have started the machine's own engine, and another set-up may have been faster.
  const found = await findEngine()
  return found ?? step('Starting a Docker engine', startOwnEngine, engine => engine.host)
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    const engine = await ensureEngine()
    if (!engine) return 1
    process.stdout.write(`${engine.host}\n`)
    return 0
  })
}
