import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from '../machine/command.mjs'
import { writeStableTarGz } from './tar.mjs'

const unwanted = [
  '/usr/share/doc/*',
  '/usr/share/man/*',
  '/usr/share/info/*',
  '/usr/share/locale/*',
  '/usr/share/lintian/*',
]

/** 2025-01-01: the date in the image, so that the same packages give the same bytes. */
const epoch = 1_735_689_600

/**
 * Puts the image together from Debian's packages, as root, without an engine and without a registry: one layer made by
 * mmdebstrap in the format that `docker save` writes (https://github.com/moby/docker-image-spec).
 * @param {import('./recipe.mjs').Recipe} recipe
 * @param {string} file
 */
export async function buildFromDebian(recipe, file) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-image-'))
  try {
    const layer = await makeLayer(recipe, folder)
    const config = Buffer.from(JSON.stringify(imageConfig(recipe, layer)))
    const configName = `${createHash('sha256').update(config).digest('hex')}.json`
    const layerName = `${layer}/layer.tar`
    writeFileSync(join(folder, configName), config)
    writeFileSync(
      join(folder, 'manifest.json'),
      JSON.stringify([{ Config: configName, RepoTags: [recipe.reference], Layers: [layerName] }]),
    )
    await writeStableTarGz(folder, ['manifest.json', configName, layerName], file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {import('./recipe.mjs').Recipe} recipe
 * @param {string} folder
 * @returns {Promise<string>} the layer's SHA-256; the file is `<sha>/layer.tar`
 */
async function makeLayer(recipe, folder) {
  const tar = join(folder, 'layer.tar')
  const args = ['--variant=minbase', '--quiet', `--include=${recipe.packages.join(',')}`]
  const excluded = unwanted.map(path => `--dpkgopt=path-exclude=${path}`)
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(epoch) }
  await run('mmdebstrap', [...args, ...excluded, suiteOf(recipe), tar], { env, quiet: true })
  const hash = createHash('sha256')
  await pipeline(createReadStream(tar), hash)
  const digest = hash.digest('hex')
  mkdirSync(join(folder, digest))
  renameSync(tar, join(folder, digest, 'layer.tar'))
  return digest
}

/**
 * @param {import('./recipe.mjs').Recipe} recipe
 * @returns {string} the release of Debian that it begins with, such as `bookworm`
 */
export function suiteOf({ base }) {
  return /^debian:(\w+)/.exec(base)?.[1] ?? ''
}

/**
 * @param {import('./recipe.mjs').Recipe} recipe
 * @param {string} layer
 */
function imageConfig(recipe, layer) {
  const created = new Date(epoch * 1000).toISOString()
  return {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    created,
    config: { Env: recipe.env, Cmd: recipe.command, WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
    history: [{ created, created_by: 'mmdebstrap' }],
  }
}
