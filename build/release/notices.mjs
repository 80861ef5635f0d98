import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersByRef } from './sbom.mjs'

/** Electron's makers put their own files into the app. */
const BESIDE =
  'Its licence is the file LICENSE.electron.txt of the app, and those of Chromium are in LICENSES.chromium.html.'

/**
 * The licences of all that the bill of materials names, as these ask for: each component, then its own files about it.
 * @param {string} root the project's folder
 * @param {import('./sbom.mjs').Bill} bill of this project, as it is installed
 */
export function thirdPartyNotices(root, bill) {
  const folders = foldersByRef(root)
  const parts = bill.components.map(component => {
    const { type, group, name, version, licenses } = component
    const [license] = licenses ?? []
    const words = license && ('expression' in license ? license.expression : license.license.id)
    const title = `${group ? `${group}/` : ''}${name} ${version} (${words ?? 'see below'})`
    if (type === 'framework') return [title, BESIDE].join('\n\n')
    const own = folders.get(component['bom-ref'])
    if (!own) throw new Error(`${component['bom-ref']} is in the bill of materials, and is not installed.`)
    const texts = own.flatMap(licenseFiles).map(file => readFileSync(file, 'utf8').trim())
    return [title, ...new Set(texts)].join('\n\n')
  })
  const heading = 'Atelier carries these packages.'
  return `${[heading, ...parts].join(`\n\n${'-'.repeat(72)}\n\n`)}\n`
}

/**
 * Also of fonts and the like, which packages have in a folder each.
 * @param {string} folder
 */
function licenseFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true })
  const within = entries
    .filter(entry => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap(({ name }) => readdirSync(join(folder, name), { withFileTypes: true }))
  return [...entries, ...within]
    .filter(entry => entry.isFile() && /^(licen[cs]es?|copying|notice)(?![a-z])/i.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}
