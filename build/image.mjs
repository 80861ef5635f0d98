import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { requestEngine } from './engine/ping.mjs'
import { ensureEngine } from './engine.mjs'
import { canInstall, ensurePackages } from './machine/debian.mjs'
import { linkOrCopy } from './machine/files.mjs'
import { withLock } from './machine/lock.mjs'
import { cacheFolder, outFolder } from './machine/paths.mjs'
import { isMain, megabytes, runMain, SetupError, say, step } from './machine/progress.mjs'
import { buildFromDebian } from './sandbox-image/debootstrap.mjs'
import { buildDockerfile, pullBase } from './sandbox-image/dockerfile.mjs'
import { readRecipe } from './sandbox-image/recipe.mjs'

/** @typedef {{reference: string, sizeBytes: number, sha256: string}} ArchiveInfo of the file, as the app reads it */

/**
 * Makes the default sandbox image when its recipe changed, puts it where the app carries it, and loads it into the
 * engine. Without a way to make it the app still starts: it then has no default image of its own.
 * @param {import('./engine/find.mjs').Engine | undefined} engine
 * @returns {Promise<ArchiveInfo | undefined>}
 */
export async function ensureImage(engine) {
  const recipe = readRecipe()
  const archive = join(cacheFolder(), `sandbox-image-${recipe.hash}.tar.gz`)
  const infoFile = archiveInfoFile()
  if (!existsSync(infoFile)) await withLock('image', () => makeArchive(recipe, engine, archive, infoFile))
  if (!existsSync(infoFile)) {
    say('! The default sandbox image could not be made: it needs an engine that reaches a registry, or root on Debian.')
    return undefined
  }
  linkOrCopy(archive, join(outFolder, 'resources', 'sandbox-image.tar.gz'))
  linkOrCopy(infoFile, join(outFolder, 'resources', 'sandbox-image.json'))
  if (engine) await loadWhenAbsent(engine.host, recipe.reference, archive)
  return JSON.parse(readFileSync(infoFile, 'utf8'))
}

/** Written last: where it exists, the archive is whole. */
export function archiveInfoFile() {
  return join(cacheFolder(), `sandbox-image-${readRecipe().hash}.json`)
}

/**
 * A release works without a network, so it carries the image of its own recipe.
 * @param {string} [resources] the folder of what the app carries
 */
export function requireBundledImage(resources = join(outFolder, 'resources')) {
  const { hash, reference } = readRecipe()
  const file = join(resources, 'sandbox-image.json')
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).reference === reference) return
  throw new SetupError(
    `A release carries the sandbox image, and ${reference} is not in ${resources}. Run node build/image.mjs on Linux of the same processor, ` +
      `put sandbox-image-${hash}.tar.gz and sandbox-image-${hash}.json of its cache into ${cacheFolder()}, and package again.`,
  )
}

/**
 * @param {import('./sandbox-image/recipe.mjs').Recipe} recipe
 * @param {import('./engine/find.mjs').Engine | undefined} engine
 * @param {string} archive
 * @param {string} infoFile
 */
async function makeArchive(recipe, engine, archive, infoFile) {
  if (existsSync(infoFile)) return
  mkdirSync(dirname(archive), { recursive: true })
  const partial = `${archive}.partial`
  try {
    const made = (await tryDockerfile(recipe, engine, partial)) || (await tryDebian(recipe, partial))
    if (!made) return
    const info = { reference: recipe.reference, sizeBytes: statSync(partial).size, sha256: await sha256(partial) }
    renameSync(partial, archive)
    writeFileSync(infoFile, JSON.stringify(info))
  } finally {
    rmSync(partial, { force: true })
  }
}

/**
 * @param {import('./sandbox-image/recipe.mjs').Recipe} recipe
 * @param {import('./engine/find.mjs').Engine | undefined} engine
 * @param {string} file
 */
async function tryDockerfile(recipe, engine, file) {
  if (!engine || !(await pullBase(engine.host, recipe.base))) return false
  return attempt('Building the sandbox image from its Dockerfile', file, () =>
    buildDockerfile(engine.host, recipe.reference, file),
  )
}

/**
 * @param {import('./sandbox-image/recipe.mjs').Recipe} recipe
 * @param {string} file
 */
async function tryDebian(recipe, file) {
  if (!canInstall()) return false
  await ensurePackages(['image'])
  return attempt("Building the sandbox image from Debian's packages", file, () => buildFromDebian(recipe, file))
}

/**
 * A way that fails is told and passed over: there may be another, and the app starts without the image too.
 * @param {string} what
 * @param {string} file
 * @param {() => Promise<void>} work
 */
async function attempt(what, file, work) {
  try {
    await step(what, work, () => megabytes(statSync(file).size))
    return true
  } catch (error) {
    say(`✗ ${what}: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/** @param {string} file */
async function sha256(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/**
 * @param {string} host
 * @param {string} reference
 * @param {string} archive
 */
async function loadWhenAbsent(host, reference, archive) {
  const present = await requestEngine(host, { path: `/images/${reference}/json` })
  present.resume()
  if (present.statusCode === 200) return
  await step(`Loading ${reference} into the engine`, async () => {
    const body = createReadStream(archive)
    const response = await requestEngine(host, {
      method: 'POST',
      path: '/images/load?quiet=1',
      body,
      contentType: 'application/x-tar',
    })
    let text = ''
    for await (const chunk of response) text += chunk
    if (response.statusCode !== 200 || text.includes('"error"'))
      throw new Error(`The engine refused the image: ${text}`)
  })
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    const image = await ensureImage(await ensureEngine())
    if (!image) return 1
    process.stdout.write(`${image.reference}\n`)
    return 0
  })
}
