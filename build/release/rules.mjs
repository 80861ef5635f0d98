import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameOf } from './shipped.mjs'

/** SPDX identifiers of licences under which the app may carry code: they ask for a notice, and nothing of the rest. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
]

/** Packages that run a program when they are installed, each with what it does. Whatever else begins to do so is looked at first. */
const INSTALL_SCRIPTS = {
  '@openrouter/sdk': 'checks the types that are installed beside it',
  '@photostructure/sqlite': 'finds its prebuilt binary',
  '@scarf/scarf': 'counts installations of what a checking tool depends on; SCARF_ANALYTICS=false turns it off',
  'cpu-features': 'optional: compiles a module that nothing needs',
  'electron-winstaller': 'chooses the archiver of the processor',
  keytar: 'finds its prebuilt binary',
  protobufjs: 'prints a warning about versions',
  ssh2: 'optional: compiles a module that nothing needs',
  'vue-demi': 'chooses the files of the version of Vue',
}

/**
 * @param {string | undefined} expression of SPDX; only OR is understood, as no package has another
 */
export function isAllowedLicense(expression) {
  const choices = (expression ?? '').replace(/^\((.*)\)$/, '$1').split(' OR ')
  return choices.some(choice => ALLOWED.includes(choice.trim()))
}

/**
 * @param {string} root the project's folder
 * @param {ReturnType<typeof import('./shipped.mjs').shippedPackages>} shipped
 * @returns {string[]} each package whose licence is none of those, with it
 */
export function licenseProblems(root, shipped) {
  return shipped.flatMap(part => {
    const { folder, name, locked } = part
    const license = licenseOf(root, part)
    // What is for another system is not here, and is not packaged here.
    if (license === undefined && locked.optional && !existsSync(join(root, folder))) return []
    return isAllowedLicense(license) ? [] : [`${name} ${locked.version}: ${license ?? 'no licence named'}`]
  })
}

/**
 * @param {string} root the project's folder
 * @param {{folder: string, locked: import('./shipped.mjs').Locked}} part
 * @returns {string | undefined} as the lock file has it, or else the package itself
 */
export function licenseOf(root, { folder, locked }) {
  return locked.license ?? installedLicense(join(root, folder))
}

/**
 * The form that packages had before there were expressions.
 * @param {string} folder
 * @returns {string | undefined}
 */
function installedLicense(folder) {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8'))
  return typeof license === 'string' ? license : licenses?.[0]?.type
}

/**
 * @param {import('./shipped.mjs').Lock} lock
 * @param {Record<string, string>} [known]
 * @returns {string[]} each package that runs a program when it is installed, and is not known to; and each known one that does not
 */
export function scriptProblems(lock, known = INSTALL_SCRIPTS) {
  const names = new Set(
    Object.entries(lock).flatMap(([folder, { hasInstallScript }]) => (hasInstallScript ? [nameOf(folder)] : [])),
  )
  return [
    ...[...names].filter(name => !(name in known)).map(name => `${name} runs a program when it is installed`),
    ...Object.keys(known)
      .filter(name => !names.has(name))
      .map(name => `${name} runs no program any more when it is installed: take it off the list`),
  ]
}
