import { createHash } from 'node:crypto'
import { createReadStream, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** What can be installed, as its name ends. */
const PACKAGE = /\.(deb|rpm|tar\.gz|exe|msi|dmg|zip)$/

/**
 * Describes the packages of this system for its feed: as the newest version, and under a name that stays to go back to.
 * @param {readonly string[]} files of one folder
 * @param {{version: string, changelog: string, epoch: number, folder: string}} release `epoch` in seconds since 1970
 * @returns {Promise<string[]>} the descriptions
 */
export async function writeDescriptions(files, { version, changelog, epoch, folder }) {
  // Where this module is loaded, packages may not be installed yet.
  const { stringify } = await import('yaml')
  const packages = []
  for (const file of files.filter(name => PACKAGE.test(name)).sort()) {
    packages.push({ url: basename(file), sha512: await sha512Of(file), size: statSync(file).size })
  }
  const text = stringify({
    version,
    releaseDate: new Date(epoch * 1000).toISOString(),
    releaseNotes: notesOf(changelog, version),
    files: packages,
  })
  const system = `${process.platform}-${process.arch}`
  return [`latest-${system}.yml`, `atelier-${version}-${system}.yml`].map(name => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  })
}

/**
 * The section of a version, without its heading.
 * @param {string} changelog
 * @param {string} version
 */
function notesOf(changelog, version) {
  const section = changelog.split(/^## /m).find(text => text.startsWith(`[${version}]`)) ?? ''
  return section.split('\n').slice(1).join('\n').trim()
}

/** @param {string} file */
async function sha512Of(file) {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  return hash.digest('base64')
}
