import {
  chmodSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleProgram } from '../../bundle/node.mjs'
import { projectFolder } from '../../machine/paths.mjs'
import { DESKTOP_FILE, desktopEntry, METAINFO_FILE, metainfo, nemoAction, serviceMenu } from './entries.mjs'

/**
 * What packages are made of.
 * @typedef {object} Source
 * @property {string} app the packaged folder
 * @property {string} version
 * @property {number} epoch seconds since 1970: the time of every file, so that the same contents are the same bytes
 * @property {boolean} release compressed well, which takes minutes
 */

/**
 * Gives the work an empty folder on which every account may look, and removes it afterwards.
 * @template T
 * @param {(folder: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-package-'))
  try {
    chmodSync(folder, 0o755)
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Puts the app into `app`, and what desktops, shells and `man` read of it into `share`. `type` is how the app learns of what
 * it was installed from, and so how it is updated.
 * @param {{app: string, share: string, type: 'deb' | 'rpm' | 'tar'}} target
 * @param {Source} source
 */
export async function layOut({ app, share, type }, source) {
  cpSync(source.app, app, { recursive: true, verbatimSymlinks: true })
  write(join(app, 'resources', 'package-type'), `${type}\n`)
  const icons = join(projectFolder, 'build', 'icons')
  const hicolor = join(share, 'icons', 'hicolor')
  cpSync(join(icons, 'icon.svg'), join(hicolor, 'scalable', 'apps', 'atelier.svg'))
  cpSync(join(icons, 'icon.png'), join(hicolor, '512x512', 'apps', 'atelier.png'))
  for (const file of readdirSync(join(icons, 'sizes'))) {
    const size = file.slice(0, -'.png'.length)
    cpSync(join(icons, 'sizes', file), join(hicolor, `${size}x${size}`, 'apps', 'atelier.png'))
  }
  const date = dateOf(source)
  const words = await readWords(source.version, date)
  write(join(share, 'applications', DESKTOP_FILE), desktopEntry(words.entries))
  write(join(share, 'kio', 'servicemenus', 'atelier.desktop'), serviceMenu(words.entries))
  write(join(share, 'nemo', 'actions', 'atelier.nemo_action'), nemoAction(words.entries))
  write(join(share, 'metainfo', METAINFO_FILE), metainfo(words.entries, { version: source.version, date }))
  write(join(share, 'man', 'man1', 'atelier.1.gz'), gzipSync(words.manual, { level: 9 }))
  write(join(share, 'bash-completion', 'completions', 'atelier'), `${words.completions.bash}\n`)
  write(join(share, 'zsh', 'site-functions', '_atelier'), `${words.completions.zsh}\n`)
  write(join(share, 'fish', 'vendor_completions.d', 'atelier.fish'), `${words.completions.fish}\n`)
}

/**
 * Every file gets the same time, and permissions that do not depend on who made it.
 * @param {string} root
 * @param {number} epoch
 */
export function normalize(root, epoch) {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map(path => join(root, path))
  for (const path of [...paths, root]) {
    const stat = lstatSync(path)
    if (!stat.isSymbolicLink()) chmodSync(path, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644)
    lutimesSync(path, epoch, epoch)
  }
}

/**
 * @param {string} file
 * @param {string | Uint8Array} content
 */
export function write(file, content) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** @param {Pick<Source, 'epoch'>} source */
function dateOf({ epoch }) {
  return new Date(epoch * 1000).toISOString().slice(0, 10)
}

/**
 * @param {string} version
 * @param {string} date
 * @returns {Promise<import('./words.ts').Words>}
 */
function readWords(version, date) {
  return inFolder(async folder => {
    await bundleProgram({ name: 'words', source: join(import.meta.dirname, 'words.ts'), folder })
    const { wordsOf } = await import(pathToFileURL(join(folder, 'words.js')).href)
    return wordsOf(version, date)
  })
}

/** The project's licence, for the files that packages of each kind keep it in. */
export function license() {
  return readFileSync(join(projectFolder, 'LICENSE'), 'utf8')
}

/** What has changed, as packages keep it. */
export function changelog() {
  return gzipSync(readFileSync(join(projectFolder, 'CHANGELOG.md')), { level: 9 })
}
