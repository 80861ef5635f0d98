import { existsSync } from 'node:fs'
import { copyResources, ensureBundle } from './bundle.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureElectron } from './electron.mjs'
import { findEngine } from './engine/find.mjs'
import { ensureEngine } from './engine.mjs'
import { archiveInfoFile, ensureImage } from './image.mjs'
import { canInstall, ensurePackages } from './machine/debian.mjs'
import { isMain, runMain, SetupError, say } from './machine/progress.mjs'

/**
 * @typedef {{engine: import('./engine/find.mjs').Engine | undefined, electron: import('./electron.mjs').ElectronDist | undefined}} Machine
 * @typedef {{electron?: boolean, tests?: boolean, bundle?: boolean}} Needs what is wanted beyond the headless service; without `bundle` only what stands next to it is made
 */

/**
 * Makes the machine and the clone ready. Does only what is missing: under a second when nothing is.
 * @param {Needs} [needs]
 * @returns {Promise<Machine>}
 */
export async function setUp(needs = {}) {
  requireNode()
  await Promise.all([ensureDependencies(), installPackages(needs)])
  const [engine, electron] = await Promise.all([engineWithImage(), needs.electron ? ensureElectron() : undefined])
  if (needs.bundle === false) copyResources()
  else await ensureBundle()
  return { engine, electron }
}

async function engineWithImage() {
  const engine = await ensureEngine()
  await ensureImage(engine)
  return engine
}

/**
 * The environment for what is started on this machine.
 * @param {Machine} machine
 * @returns {NodeJS.ProcessEnv}
 */
export function machineEnv({ engine, electron }) {
  return {
    ...process.env,
    ...(engine && { DOCKER_HOST: engine.host }),
    ...(electron && { ELECTRON_OVERRIDE_DIST_PATH: electron.folder }),
  }
}

/** @param {Needs} needs */
async function installPackages(needs) {
  const engineMissing = canInstall() && !process.env.DOCKER_HOST && !(await findEngine())
  const imageMissing = canInstall() && !existsSync(archiveInfoFile())
  await ensurePackages([
    ...(engineMissing ? /** @type {const} */ (['engine']) : []),
    ...(imageMissing ? /** @type {const} */ (['image']) : []),
    ...(needs.electron ? /** @type {const} */ (['electron']) : []),
    ...(needs.tests ? /** @type {const} */ (['tests']) : []),
    'keychain',
  ])
}

function requireNode() {
  const problem = nodeProblem()
  if (problem) throw new SetupError(problem)
}

/** @returns {string | undefined} why this version of Node.js will not do */
export function nodeProblem() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 18)) return undefined
  return `Node ${process.versions.node} is too old: Atelier needs 20.18 or newer (https://nodejs.org).`
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    const { engine } = await setUp({ electron: true })
    say(`✓ Ready${engine ? ` (engine: ${engine.name}, ${engine.host})` : ''}`)
  })
}
