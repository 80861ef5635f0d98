import { join } from 'node:path'
import { outFolder, projectFolder } from '../machine/paths.mjs'

/** Native modules ship a build for every system; the package needs its own. */
const systems = ['darwin', 'linux', 'linuxmusl', 'win32', 'android', 'freebsd']
const processors = ['x64', 'arm64', 'ia32', 'arm', 'armv7', 'armv7l', 'ppc64', 's390x']

/**
 * What electron-builder is told.
 * @param {{electron: import('../electron.mjs').ElectronDist, output: string, release: boolean}} options
 * @returns {import('electron-builder').Configuration}
 */
export function builderConfig({ electron, output, release }) {
  return {
    appId: 'dev.atelier.app',
    productName: 'Atelier',
    electronDist: electron.folder,
    electronVersion: electron.version,
    // Native modules carry N-API builds: nothing is compiled here.
    npmRebuild: false,
    directories: { output, buildResources: join(projectFolder, 'build', 'icons') },
    files: [
      'out/electron',
      'out/server',
      'out/chunks',
      'out/renderer',
      'package.json',
      '!**/*.map',
      ...otherPrebuilds(),
    ],
    asar: true,
    asarUnpack: ['**/*.node'],
    extraResources: [{ from: join(outFolder, 'resources'), to: '.' }],
    electronFuses: {
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      // Playwright attaches through --inspect: off in what is released.
      enableNodeCliInspectArguments: !release,
      enableEmbeddedAsarIntegrityValidation: process.platform !== 'linux',
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    },
    linux: { target: ['dir'], executableName: 'atelier', icon: 'icon.png', category: 'Development' },
    mac: { target: ['dir'], icon: 'icon.png', category: 'public.app-category.developer-tools', identity: null },
    win: { target: ['dir'], icon: 'icon.png' },
    publish: null,
  }
}

/** Folder names are `linux-x64`, `linuxmusl-arm64`, `win32-x64+arm64` and the like. */
function otherPrebuilds(platform = process.platform, processor = process.arch) {
  const otherSystems = systems.filter(system => system !== platform)
  const otherProcessors = processors.filter(name => name !== processor)
  return [
    ...otherSystems.map(system => `!**/prebuilds/${system}-*/**`),
    ...otherProcessors.map(name => `!**/prebuilds/*-${name}/**`),
    // Electron for Linux is made for the GNU C library.
    '!**/*.musl.node',
    '!**/node_modules/{keytar,@photostructure/sqlite}/{src,script,scripts,build,deps}/**',
    '!**/node_modules/{nan,@types,undici-types}/**',
    '!**/*.{d.ts,d.mts,d.cts}',
  ]
}
