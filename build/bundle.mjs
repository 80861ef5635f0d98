import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { bundleNode, bundleProgram, sayWarning } from './bundle/node.mjs'
import { notePackages } from './bundle/packages.mjs'
import { targets } from './bundle/targets.mjs'
import { linkOrCopy } from './machine/files.mjs'
import { fingerprint, isStale, whenStale } from './machine/fingerprint.mjs'
import { withLock } from './machine/lock.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { isMain, runMain, SetupError, say, step } from './machine/progress.mjs'
import { thirdPartyNotices } from './release/notices.mjs'
import { billOfMaterials } from './release/sbom.mjs'
import { readLock } from './release/shipped.mjs'

/**
 * `entries` maps an output (under out/, no extension) to its source.
 * @typedef {{name: string, format: 'es' | 'cjs', entries: Record<string, string>}} NodeBundle
 * @type {NodeBundle[]}
 */
const nodeBundles = [
  {
    name: 'service and main process',
    format: 'es',
    entries: {
      'electron/main': 'electron/main.ts',
      'electron/service-process': 'electron/service/process.ts',
      'server/main': 'server/main.ts',
      'cli/main': 'server/cli/main.ts',
      'server/keychain-process': 'server/secret/keychain/process.ts',
    },
  },
  { name: 'preload', format: 'cjs', entries: { 'electron/preload': 'electron/preload.ts' } },
]

/** What other programs import as `atelier/client`: one file each, with all that it needs. */
const clientEntries = { node: 'server/client/node/exports.ts', browser: 'server/client/browser.ts' }

/** What of others is in the service and the main process, and what is in the window: for each the folders of packages. */
export const bundledPackagesFile = join(outFolder, 'packages.json')

/** Built apart and moved when whole: a failed build leaves the last good one. */
const nextFolder = join(outFolder, 'next')

const bundleInputs = [
  'electron',
  'server',
  'renderer',
  'build/bundle.mjs',
  'build/bundle',
  'build/release',
  'build/icons',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** Bundles everything when a source changed, and puts the resources next to it. */
export async function ensureBundle() {
  copyResources()
  const print = fingerprint(projectFolder, bundleInputs)
  const work = async () => {
    await step('Bundling the app', bundleAll)
    const app = { version: appVersion(), electron: lockedElectron(), epoch: 0 }
    const notices = thirdPartyNotices(projectFolder, billOfMaterials(projectFolder, app))
    writeFileSync(join(outFolder, 'resources', 'docs', 'third-party-notices.txt'), notices)
  }
  const job = { stamp: join(outFolder, '.bundle'), print, work }
  if (isStale(job)) await withLock('bundle', () => whenStale(job))
}

async function bundleAll() {
  const sources = [...nodeBundles.flatMap(({ entries }) => Object.values(entries)), ...Object.values(clientEntries)]
  const missing = [...sources, 'renderer/index.html'].filter(file => !existsSync(join(projectFolder, file)))
  if (missing.length > 0) throw new SetupError(`These entry files do not exist: ${missing.join(', ')}.`)
  const packages = { service: new Set(), window: new Set() }
  // Vite takes it from the caller's environment: the window would be one for development, with the paths of this machine in it.
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  rmSync(nextFolder, { recursive: true, force: true })
  try {
    for (const bundle of nodeBundles) await bundleNode({ ...bundleOf(bundle), packages: packages.service })
    for (const [name, source] of Object.entries(clientEntries)) {
      await bundleProgram({ name, source: join(projectFolder, source), folder: join(nextFolder, 'client') })
    }
    await bundleRenderer(packages.window)
  } catch (error) {
    // The bundler's message shows the place in the source; its stack is of no use to the reader.
    const message = error instanceof Error ? error.message : String(error)
    throw new SetupError(`The app could not be bundled. ${stripVTControlCharacters(message)}`)
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
  for (const folder of ['electron', 'server', 'cli', 'client', 'chunks', 'renderer']) {
    rmSync(join(outFolder, folder), { recursive: true, force: true })
    if (existsSync(join(nextFolder, folder))) renameSync(join(nextFolder, folder), join(outFolder, folder))
  }
  rmSync(nextFolder, { recursive: true })
  const { service, window } = packages
  writeFileSync(bundledPackagesFile, JSON.stringify({ service: [...service].sort(), window: [...window].sort() }))
}

/** @param {NodeBundle} bundle */
function bundleOf({ format, entries }) {
  return {
    entries: Object.fromEntries(Object.entries(entries).map(([to, from]) => [to, join(projectFolder, from)])),
    folder: nextFolder,
    sourcemap: true,
    output: {
      format,
      entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
  }
}

/** @param {Set<string>} packages takes the folders of the packages that are in it */
async function bundleRenderer(packages) {
  const [{ build }, { default: react }, { default: tailwind }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('@tailwindcss/vite'),
  ])
  await build({
    configFile: false,
    root: join(projectFolder, 'renderer'),
    base: '/',
    logLevel: 'silent',
    plugins: [react(), tailwind(), notePackages(packages)],
    worker: { format: 'es', plugins: () => [notePackages(packages)] },
    build: {
      target: targets.chrome,
      outDir: join(nextFolder, 'renderer'),
      emptyOutDir: true,
      sourcemap: false,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4000,
      // The content security policy allows files, not data: addresses, for scripts and styles.
      assetsInlineLimit: 0,
      rolldownOptions: { onwarn: sayWarning },
    },
  })
}

/** Puts what the app reads beside its code in place. */
export function copyResources() {
  const resources = join(outFolder, 'resources')
  for (const folder of ['demonstration', 'docs']) {
    const source = join(projectFolder, 'build', 'resources', folder)
    if (existsSync(source)) cpSync(source, join(resources, folder), { recursive: true })
  }
  // The page of the API's documentation: whole as its makers publish it, so it is in no bundle of ours.
  const reference = join(projectFolder, 'node_modules', '@scalar', 'api-reference', 'dist', 'browser', 'standalone.js')
  if (existsSync(reference)) linkOrCopy(reference, join(resources, 'docs', 'reference.js'))
  for (const icon of ['icon.svg', 'icon.png']) {
    const file = join(projectFolder, 'build', 'icons', icon)
    if (existsSync(file)) linkOrCopy(file, join(resources, icon))
  }
  for (const file of readdirSync(join(projectFolder, 'build', 'icons', 'tray'))) {
    if (file.endsWith('.png'))
      linkOrCopy(join(projectFolder, 'build', 'icons', 'tray', file), join(resources, 'tray', file))
  }
}

/** The app's version, as package.json has it. */
export function appVersion() {
  return JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version
}

/** A release is made with it. */
function lockedElectron() {
  return readLock(projectFolder)['node_modules/electron']?.version ?? ''
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    await ensureBundle()
    say(`The bundle is in ${outFolder}`)
  })
}
