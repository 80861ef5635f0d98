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

/** Packages that a bundle carries more than once, each with the reason that it has to. Another one that does is looked at first. */
const TWICE = {
  accepts: 'socket.io and engine.io want the major version before that of express',
  'ipaddr.js': 'proxy-addr wants the major version before ours',
  'mime-db': 'comes with mime-types',
  'mime-types': 'comes with accepts',
  negotiator: 'comes with accepts',
  'tar-fs': 'the clients of Docker and of Kubernetes want different major versions',
  'tar-stream': 'comes with tar-fs',
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

/**
 * @param {import('./shipped.mjs').Lock} lock
 * @param {Record<string, string[]>} bundles by what they are, the folders of the packages in each
 * @param {Record<string, string>} [known]
 * @returns {string[]} each package that is in a bundle in more than one copy, and is not known to be; and each known one that is not
 */
export function copyProblems(lock, bundles, known = TWICE) {
  const copied = Object.entries(bundles).flatMap(([bundle, folders]) => {
    return [...new Set(folders.map(nameOf))]
      .map(name => ({ bundle, name, copies: folders.filter(folder => nameOf(folder) === name) }))
      .filter(({ copies }) => copies.length > 1)
  })
  return [
    ...copied
      .filter(({ name }) => !(name in known))
      .map(({ bundle, name, copies }) => {
        const places = copies.map(folder => `${lock[folder]?.version} in ${folder}`)
        return `${name} is bundled into the ${bundle} ${copies.length} times: ${places.join(', ')}`
      }),
    ...Object.keys(known)
      .filter(name => !copied.some(copy => copy.name === name))
      .map(name => `${name} is bundled once now: take it off the list`),
  ]
}

/**
 * @param {import('./shipped.mjs').Lock} lock
 * @returns {string[]} each package that its makers have deprecated, as the registry said when it was locked
 */
export function deprecationProblems(lock) {
  return Object.entries(lock).flatMap(([folder, { version, deprecated }]) =>
    deprecated ? [`${nameOf(folder)} ${version} is deprecated: ${deprecated}`] : [],
  )
}

/**
 * @param {string} printed by `npm audit --json`
 * @returns {string[] | undefined} each package with a known vulnerability; undefined where the registry cannot tell
 */
export function vulnerabilityProblems(printed) {
  const { vulnerabilities } = parsed(printed)
  if (!vulnerabilities) return undefined
  return Object.values(vulnerabilities).flatMap(({ name, severity, range, via }) => {
    const titles = via.flatMap(one => (typeof one === 'object' ? [`${one.title} (${one.url})`] : []))
    // Those that only depend on such a package are mended with it.
    return titles.length > 0 ? [`${name} ${range}: ${severity}, ${titles.join(', ')}`] : []
  })
}

/**
 * @typedef {{name: string, severity: string, range: string, via: (string | {title: string, url: string})[]}} Vulnerability
 * @param {string} text
 * @returns {{vulnerabilities?: Record<string, Vulnerability>}}
 */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
