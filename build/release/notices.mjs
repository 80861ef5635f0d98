import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedPackages } from './shipped.mjs'

/**
 * The licences of all that the app carries, as these ask for: each package, then its own files about it. Electron and Chromium have files of
 * their own beside the app.
 * @param {string} root the project's folder
 */
export function thirdPartyNotices(root) {
  const parts = shippedPackages(root)
    .filter(({ folder }) => existsSync(join(root, folder)))
    .map(({ folder, name, locked }) => {
      const texts = licenseFiles(join(root, folder)).map(file => readFileSync(file, 'utf8').trim())
      return [`${name} ${locked.version} (${locked.license ?? 'see below'})`, ...texts].join('\n\n')
    })
  const heading = 'Atelier carries these packages. The licences of Electron and Chromium are in files of their own.'
  return `${[heading, ...new Set(parts)].join(`\n\n${'-'.repeat(72)}\n\n`)}\n`
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
