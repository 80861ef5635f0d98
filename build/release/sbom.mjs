import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { licenseOf } from './rules.mjs'
import { readLock, shippedPackages } from './shipped.mjs'

/** @typedef {{name: string, version: string, license: string | undefined, integrity: string | undefined, kind: 'library' | 'framework'}} Part */

/**
 * What is in the app as it is packaged on this system, with Electron: a bill of materials of CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json/).
 * @param {string} root the project's folder
 * @param {{version: string, electron: string, epoch: number}} app `electron` is its version, `epoch` seconds since 1970
 */
export function billOfMaterials(root, { version, electron, epoch }) {
  const shipped = shippedPackages(root)
    .filter(({ folder }) => existsSync(join(root, folder)))
    .map(part => ({
      // A package can stand in the folder of another name.
      name: part.locked.name ?? part.name,
      version: part.locked.version ?? '',
      license: licenseOf(root, part),
      integrity: part.locked.integrity,
      kind: /** @type {const} */ ('library'),
    }))
  // The integrity in the lock file is that of the package that fetches it.
  const runtime = {
    name: 'electron',
    version: electron,
    license: readLock(root)['node_modules/electron']?.license,
    integrity: undefined,
    kind: /** @type {const} */ ('framework'),
  }
  return billOf({ version, epoch }, [...shipped, runtime])
}

/**
 * @param {{version: string, epoch: number}} app
 * @param {readonly Part[]} parts one may be there several times
 */
export function billOf({ version, epoch }, parts) {
  const components = new Map(parts.map(part => [purlOf(part), componentOf(part)]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': `pkg:generic/atelier@${version}`,
        name: 'atelier',
        version,
        purl: `pkg:generic/atelier@${version}`,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: [...components.keys()].sort().map(purl => components.get(purl)),
  }
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
 * @param {Part} part
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
