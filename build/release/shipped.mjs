import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{name?: string, version?: string, integrity?: string, license?: string, hasInstallScript?: boolean, deprecated?: string, optional?: boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>}} Locked
 * @typedef {Record<string, Locked>} Lock by folder, as `node_modules/zod`; the project itself is ''
 * @typedef {{folder: string, name: string, locked: Locked, isDirect: boolean, needs: string[]}} Shipped `isDirect`: the app itself
 * asks for it; `needs`: the folders of what it depends on
 */

const IMPORT = /(?:from|import\(|import)\s*'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g

/** What the app carries whole, though no source imports it, and what is there as its makers publish it, with licences of its own. */
const CARRIED = ['@scalar/api-reference', 'tailwindcss']
const APART = ['electron']

/**
 * The packages that are in what is released: those that the sources of the app import, with all that they depend on.
 * @param {string} root the project's folder
 * @returns {Shipped[]} in the order of their folders
 */
export function shippedPackages(root) {
  const lock = readLock(root)
  const direct = new Set([
    ...CARRIED,
    ...['server', 'electron', 'renderer'].flatMap(folder => importedIn(join(root, folder))),
  ])
  return reachable(
    lock,
    [...direct].filter(name => !APART.includes(name)),
  )
}

/**
 * @param {string} root
 * @returns {Lock}
 */
export function readLock(root) {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
}

/**
 * @param {Lock} lock
 * @param {readonly string[]} names of packages at the root; what is none, such as a module of Node.js, is passed over
 * @returns {Shipped[]}
 */
export function reachable(lock, names) {
  const direct = new Set(names.map(name => `node_modules/${name}`).filter(folder => folder in lock))
  const found = new Set(direct)
  /** @type {Map<string, string[]>} */
  const needs = new Map()
  for (const folder of found) {
    needs.set(folder, neededBy(lock, folder))
    for (const target of needs.get(folder) ?? []) found.add(target)
  }
  return [...found].sort().map(folder => ({
    folder,
    name: nameOf(folder),
    locked: lock[folder] ?? {},
    isDirect: direct.has(folder),
    needs: needs.get(folder) ?? [],
  }))
}

/**
 * @param {Lock} lock
 * @param {string} folder
 */
function neededBy(lock, folder) {
  const { dependencies, optionalDependencies, peerDependencies } = lock[folder] ?? {}
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap(
    name => resolved(lock, folder, name) ?? [],
  )
}

/** @param {string} folder */
export function nameOf(folder) {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/**
 * Where Node.js finds a package: in the nearest node_modules upwards.
 * @param {Lock} lock
 * @param {string} from
 * @param {string} name
 */
function resolved(lock, from, name) {
  const places = [from]
  for (let at = from.lastIndexOf('/node_modules/'); at > 0; at = from.lastIndexOf('/node_modules/', at - 1)) {
    places.push(from.slice(0, at))
  }
  return [...places.map(place => `${place}/node_modules/${name}`), `node_modules/${name}`].find(
    folder => folder in lock,
  )
}

/** @param {string} folder */
function importedIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .flatMap(file => [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)].map(([, name = '']) => name))
}
