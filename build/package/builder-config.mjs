import { join } from 'node:path'
import { outFolder, projectFolder } from '../machine/paths.mjs'

/** Native modules ship a build for every system; the package needs its own. */
const systems = ['darwin', 'linux', 'linuxmusl', 'win32', 'android', 'freebsd']
const processors = ['x64', 'arm64', 'ia32', 'arm', 'armv7', 'armv7l', 'ppc64', 's390x']

/** What signs a package, or logs in to what does; docs/release.md says what each is for. */
export const signingVariables = [
  'CSC_LINK',
  'CSC_KEY_PASSWORD',
  'CSC_NAME',
  'APPLE_API_KEY',
  'APPLE_API_KEY_ID',
  'APPLE_API_ISSUER',
  'WIN_CSC_LINK',
  'WIN_CSC_KEY_PASSWORD',
  'AZURE_SIGNING_ENDPOINT',
  'AZURE_SIGNING_ACCOUNT',
  'AZURE_SIGNING_PROFILE',
  'AZURE_SIGNING_PUBLISHER',
  'AZURE_TENANT_ID',
  'AZURE_CLIENT_ID',
  'AZURE_CLIENT_SECRET',
]

/**
 * What electron-builder is told. Without the variables of the environment that docs/release.md names, nothing is signed.
 * @param {{electron: import('../electron.mjs').ElectronDist, output: string, release: boolean, updates?: string | null, env?: NodeJS.ProcessEnv}} options `updates`: the file that says where they come from
 * @returns {import('electron-builder').Configuration}
 */
export function builderConfig({ electron, output, release, updates = null, env = process.env }) {
  return {
    appId: 'dev.atelier.app',
    productName: 'Atelier',
    electronDist: electron.folder,
    electronVersion: electron.version,
    // The words of Chromium itself, in the languages that the window speaks: each other one would be up to a megabyte.
    electronLanguages: ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh', 'ko', 'ar'],
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
    extraResources: [
      { from: join(outFolder, 'resources'), to: '.' },
      ...(updates ? [{ from: updates, to: 'updates.json' }] : []),
    ],
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
    protocols: { name: 'Atelier', schemes: ['atelier'], role: 'Viewer' },
    linux: { target: ['dir'], executableName: 'atelier', icon: 'icon.png', category: 'Development' },
    mac: macConfig(env),
    dmg: { sign: false },
    win: winConfig(env),
    nsis: {
      oneClick: false,
      perMachine: false,
      allowToChangeInstallationDirectory: true,
      deleteAppDataOnUninstall: false,
      include: join(import.meta.dirname, 'windows', 'installer.nsh'),
    },
    msi: { oneClick: false, perMachine: true },
    publish: null,
  }
}

/**
 * electron-builder itself reads CSC_LINK and CSC_KEY_PASSWORD, or CSC_NAME, and for the notary APPLE_API_KEY, APPLE_API_KEY_ID and APPLE_API_ISSUER.
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('electron-builder').MacConfiguration}
 */
function macConfig(env) {
  const isSigned = Boolean(env.CSC_LINK || env.CSC_NAME)
  const entitlements = join(import.meta.dirname, 'mac', 'entitlements.plist')
  return {
    target: ['dmg', 'zip'],
    icon: 'icon.png',
    category: 'public.app-category.developer-tools',
    minimumSystemVersion: '12.0',
    hardenedRuntime: isSigned,
    entitlements,
    entitlementsInherit: entitlements,
    notarize: isSigned && Boolean(env.APPLE_API_KEY),
    // An app for Apple silicon that has no signature at all does not start: an ad-hoc one is made there.
    ...(!isSigned && { identity: process.arch === 'arm64' ? '-' : null }),
    extendInfo: {
      CFBundleDocumentTypes: [
        {
          CFBundleTypeName: 'Folder',
          CFBundleTypeRole: 'Viewer',
          LSHandlerRank: 'Alternate',
          LSItemContentTypes: ['public.folder'],
        },
      ],
    },
  }
}

/**
 * electron-builder itself reads WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD; with AZURE_SIGNING_ENDPOINT the service of Microsoft signs.
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('electron-builder').WindowsConfiguration}
 */
function winConfig(env) {
  const { AZURE_SIGNING_ENDPOINT: endpoint, AZURE_SIGNING_ACCOUNT: codeSigningAccountName } = env
  const { AZURE_SIGNING_PROFILE: certificateProfileName, AZURE_SIGNING_PUBLISHER: publisherName } = env
  const isComplete = endpoint && codeSigningAccountName && certificateProfileName && publisherName
  return {
    target: ['nsis', 'msi'],
    icon: 'icon.png',
    ...(isComplete && {
      azureSignOptions: { endpoint, codeSigningAccountName, certificateProfileName, publisherName },
    }),
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
