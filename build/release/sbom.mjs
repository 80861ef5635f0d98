import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { licenseOf } from './rules.mjs'
import { readLock, shippedPackages } from './shipped.mjs'

/**
 * @typedef {{name: string, version: string, license: string | undefined, integrity: string | undefined, kind: 'library' | 'framework', isDirect: boolean, needs: string[]}} Part
 * `needs` has the bom-refs of what it depends on
 * @typedef {ReturnType<typeof billOf>} Bill
 */

/**
 * What is in the app as it is packaged on this system, with Electron: a bill of materials of CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json/).
 * @param {string} root the project's folder
 * @param {{version: string, electron: string, epoch: number}} app `electron` is its version, `epoch` seconds since 1970
 */
export function billOfMaterials(root, { version, electron, epoch }) {
  const installed = installedPackages(root)
  const refs = new Map(installed.map(part => [part.folder, refOf(part)]))
  const shipped = installed.map(part => ({
    ...identityOf(part),
    license: licenseOf(root, part),
    integrity: part.locked.integrity,
    kind: /** @type {const} */ ('library'),
    isDirect: part.isDirect,
    // What is for another system is not here.
    needs: part.needs.flatMap(folder => refs.get(folder) ?? []),
  }))
  // The integrity in the lock file is that of the package that fetches it, and so is what that depends on.
  const runtime = {
    name: 'electron',
    version: electron,
    license: readLock(root)['node_modules/electron']?.license,
    integrity: undefined,
    kind: /** @type {const} */ ('framework'),
    isDirect: true,
    needs: [],
  }
  return billOf({ version, epoch }, [...shipped, runtime])
}

/**
 * @param {string} root the project's folder
 * @returns {Map<string, string[]>} the folders of each package of the bill, by its bom-ref: one version can be in several places
 */
export function foldersByRef(root) {
  /** @type {Map<string, string[]>} */
  const folders = new Map()
  for (const part of installedPackages(root)) {
    folders.set(refOf(part), [...(folders.get(refOf(part)) ?? []), join(root, part.folder)])
  }
  return folders
}

/**
 * @param {{version: string, epoch: number}} app
 * @param {readonly Part[]} parts one may be there several times
 */
export function billOf({ version, epoch }, parts) {
  const components = new Map(parts.map(part => [purlOf(part), componentOf(part)]))
  const app = `pkg:generic/atelier@${version}`
  const direct = parts.filter(({ isDirect }) => isDirect).map(purlOf)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': app,
        name: 'atelier',
        version,
        purl: app,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: [...components.keys()].sort().flatMap(purl => components.get(purl) ?? []),
    dependencies: [{ ref: app, dependsOn: sortedOnce(direct) }, ...dependenciesOf(parts)],
  }
}

/**
 * A version that is in several places may find others of what it depends on in each; it is one component, which depends on all of these.
 * @param {readonly Part[]} parts
 */
function dependenciesOf(parts) {
  /** @type {Map<string, string[]>} */
  const needs = new Map()
  for (const part of parts) needs.set(purlOf(part), [...(needs.get(purlOf(part)) ?? []), ...part.needs])
  return [...needs.keys()].sort().map(ref => ({ ref, dependsOn: sortedOnce(needs.get(ref) ?? []) }))
}

/** @param {readonly string[]} refs */
function sortedOnce(refs) {
  return [...new Set(refs)].sort()
}

/** @param {string} root */
function installedPackages(root) {
  return shippedPackages(root).filter(({ folder }) => existsSync(join(root, folder)))
}

/**
 * A package can stand in the folder of another name.
 * @param {import('./shipped.mjs').Shipped} part
 */
function identityOf({ name, locked }) {
  return { name: locked.name ?? name, version: locked.version ?? '' }
}

/** @param {import('./shipped.mjs').Shipped} part */
function refOf(part) {
  return purlOf(identityOf(part))
}

/** @param {Part} part */
function componentOf(part) {
  const { name, version, license, integrity, kind } = part
  const slash = name.indexOf('/')
  return {
    type: kind,
    'bom-ref': purlOf(part),
    ...(slash !== -1 && { group: name.slice(0, slash) }),
    name: name.slice(slash + 1),
    version,
    purl: purlOf(part),
    ...(license && { licenses: [licenseIn(license)] }),
    ...(integrity && { hashes: hashesIn(integrity) }),
  }
}

/**
 * The scope's @ is escaped (https://github.com/package-url/purl-spec).
 * @param {{name: string, version: string}} part
 */
function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`
}

/** @param {string} license of SPDX */
function licenseIn(license) {
  return /[ ()]/.test(license) ? { expression: license } : { license: { id: license } }
}

/**
 * As npm's lock file has them: `sha512-` and base64, several with a space between.
 * @param {string} integrity
 */
function hashesIn(integrity) {
  return integrity.split(' ').map(text => {
    const [, digits = '', base64 = ''] = /^sha(\d+)-(.+)$/.exec(text) ?? []
    return { alg: `SHA-${digits}`, content: Buffer.from(base64, 'base64').toString('hex') }
  })
}
