import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { run } from '../../machine/command.mjs'
import { packagesFor } from '../../machine/debian.mjs'
import { changelog, inFolder, layOut, license, normalize, write } from './tree.mjs'

const maintainer = 'The Atelier authors <atelier@localhost>'

/**
 * A Debian package from the packaged folder, with dpkg's own tool. It has no maintainer scripts: the caches of desktop entries,
 * icons and manual pages are brought up to date by triggers of the packages that own them, and nothing lies outside of /opt/Atelier and /usr.
 * @param {import('./tree.mjs').Source} source
 * @param {string} folder where the file is put
 * @returns {Promise<string>} the file
 */
export async function makeDeb(source, folder) {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const version = debVersion(source.version)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `atelier_${version}_${architecture}.deb`)
  await inFolder(async root => {
    const share = join(root, 'usr', 'share')
    await layOut({ app: join(root, 'opt', 'Atelier'), share, type: 'deb' }, source)
    renameSync(join(share, 'zsh', 'site-functions'), join(share, 'zsh', 'vendor-completions'))
    write(join(share, 'doc', 'atelier', 'copyright'), copyright())
    write(join(share, 'doc', 'atelier', 'CHANGELOG.md.gz'), changelog())
    write(join(share, 'doc', 'atelier', 'changelog.gz'), gzipSync(debianChangelog(version, source.epoch), { level: 9 }))
    write(join(share, 'lintian', 'overrides', 'atelier'), `${overrides.join('\n')}\n`)
    mkdirSync(join(root, 'usr', 'bin'), { recursive: true })
    symlinkSync('/opt/Atelier/bin/atelier', join(root, 'usr', 'bin', 'atelier'))
    const files = filesIn(root)
    write(join(root, 'DEBIAN', 'md5sums'), md5sums(root, files))
    write(join(root, 'DEBIAN', 'control'), control({ version, architecture, kibibytes: sizeOf(root) }))
    normalize(root, source.epoch)
    for (const file of files.filter(isLibrary)) chmodSync(join(root, file), 0o644)
    // Where a system forbids user namespaces, Chromium's sandbox needs this helper to be setuid root.
    chmodSync(join(root, 'opt', 'Atelier', 'chrome-sandbox'), 0o4755)
    const compression = source.release ? ['-Zxz'] : ['-Zgzip', '-z1']
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(source.epoch) }
    await run('dpkg-deb', ['--root-owner-group', ...compression, '--build', root, file], { env, quiet: true })
  })
  return file
}

/**
 * A version before another one sorts before it with a tilde, in Debian's order and in that of RPM.
 * @param {string} version
 */
export function debVersion(version) {
  return version.replace('-', '~')
}

/** @param {{version: string, architecture: string, kibibytes: number}} fields */
function control({ version, architecture, kibibytes }) {
  const depends = packagesFor.electron.map(name => `${name} | ${name}t64`).join(', ')
  const lines = [
    'Package: atelier',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kibibytes}`,
    'Section: devel',
    'Priority: optional',
    `Depends: libc6 (>= 2.28), ${depends}`,
    'Recommends: docker.io | docker-ce | podman, gnome-keyring | kwalletmanager, git, xdg-utils',
    'Description: runs software-development agents on your own machine',
    ' Each conversation works in a sandbox of its own, keys stay in the keychain of',
    ' the system, and other programs use the same service through a documented API',
    ' on localhost. There is no account and no telemetry.',
  ]
  return `${lines.join('\n')}\n`
}

/**
 * @param {string} version
 * @param {number} epoch
 */
function debianChangelog(version, epoch) {
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000')
  return `atelier (${version}) stable; urgency=medium

  * What has changed is in /usr/share/doc/atelier/CHANGELOG.md.gz.

 -- ${maintainer}  ${date}
`
}

/** @returns {string} of the machine-readable format 1.0 */
function copyright() {
  const text = license()
    .trimEnd()
    .split('\n')
    .slice(1)
    .join('\n')
    .trim()
    .split('\n')
    .map(line => ` ${line || '.'}`)
    .join('\n')
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Atelier
Comment: The licences of Electron and Chromium, which are part of this package, are in
 /opt/Atelier/LICENSE.electron.txt and /opt/Atelier/LICENSES.chromium.html.

Files: *
Copyright: 2026 The Atelier authors
License: MIT

License: MIT
${text}
`
}

/** What Debian asks of its own packages and cannot hold for an app with its own Chromium, each with its reason. */
const overrides = [
  '# What is not of Debian lies in /opt.',
  'atelier: dir-or-file-in-opt',
  '# Electron is shipped as its makers built it, with its own libraries.',
  'atelier: embedded-library',
  'atelier: unstripped-binary-or-object',
  "# The helper of Chromium's sandbox, for systems that forbid user namespaces.",
  'atelier: elevated-privileges',
  '# The project has no address to write mail to; SECURITY.md says how it is reached.',
  'atelier: bogus-mail-host',
  'atelier: bogus-mail-host-in-debian-changelog',
  '# The repository that the demonstration works on has one.',
  'atelier: package-contains-vcs-control-file',
]

/**
 * @param {string} root
 * @returns {string[]} every plain file, from the root, in a stable order
 */
function filesIn(root) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(path => lstatSync(join(root, path)).isFile())
    .sort()
}

/** @param {string} file */
function isLibrary(file) {
  return /\.so(\.\d+)*$/.test(file)
}

/**
 * @param {string} root
 * @param {string[]} files
 */
function md5sums(root, files) {
  const line = (/** @type {string} */ file) =>
    `${createHash('md5')
      .update(readFileSync(join(root, file)))
      .digest('hex')}  ${file}\n`
  return files.map(line).join('')
}

/**
 * As Debian's policy counts it: files by whole kibibytes, everything else as one.
 * @param {string} root
 */
function sizeOf(root) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).reduce((total, path) => {
    const stat = lstatSync(join(root, path))
    return total + (stat.isFile() ? Math.ceil(stat.size / 1024) : 1)
  }, 0)
}
