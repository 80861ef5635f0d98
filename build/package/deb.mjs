import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { appVersion } from '../bundle.mjs'
import { run } from '../machine/command.mjs'
import { packagesFor } from '../machine/debian.mjs'
import { outFolder, projectFolder } from '../machine/paths.mjs'
import { step } from '../machine/progress.mjs'

/**
 * A Debian package from the packaged folder, with dpkg's own tool.
 * @param {string} program the packaged executable
 * @returns {Promise<string>} the file
 */
export async function makeDeb(program) {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const file = join(outFolder, 'package', `atelier_${appVersion()}_${architecture}.deb`)
  const root = mkdtempSync(join(tmpdir(), 'atelier-deb-'))
  chmodSync(root, 0o755)
  try {
    await step('Making the Debian package', async () => {
      fill(root, dirname(program), architecture)
      await run('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z4', '--build', root, file], { quiet: true })
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  return file
}

/**
 * @param {string} root
 * @param {string} app
 * @param {string} architecture
 */
function fill(root, app, architecture) {
  const opt = join(root, 'opt', 'Atelier')
  cpSync(app, opt, { recursive: true })
  // Where a system forbids user namespaces, Chromium's sandbox needs this helper to be setuid root.
  chmodSync(join(opt, 'chrome-sandbox'), 0o4755)
  mkdirSync(join(root, 'usr', 'bin'), { recursive: true })
  symlinkSync('/opt/Atelier/bin/atelier', join(root, 'usr', 'bin', 'atelier'))
  const icons = join(root, 'usr', 'share', 'icons', 'hicolor')
  cpSync(join(projectFolder, 'build', 'icons', 'icon.svg'), join(icons, 'scalable', 'apps', 'atelier.svg'))
  cpSync(join(projectFolder, 'build', 'icons', 'icon.png'), join(icons, '512x512', 'apps', 'atelier.png'))
  write(join(root, 'usr', 'share', 'applications', 'atelier.desktop'), desktopEntry())
  write(join(root, 'DEBIAN', 'control'), control(architecture))
}

/**
 * @param {string} file
 * @param {string[]} lines
 */
function write(file, lines) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${lines.join('\n')}\n`)
}

function desktopEntry() {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Atelier',
    'Comment=Software-development agents on your own machine',
    'Exec=/opt/Atelier/atelier %U',
    'Icon=atelier',
    'Categories=Development;',
    'StartupWMClass=atelier',
  ]
}

/** @param {string} architecture */
function control(architecture) {
  const depends = packagesFor.electron.map(name => `${name} | ${name}t64`).join(', ')
  return [
    'Package: atelier',
    `Version: ${appVersion()}`,
    `Architecture: ${architecture}`,
    'Maintainer: Atelier contributors <atelier@localhost>',
    'Section: devel',
    'Priority: optional',
    `Depends: ${depends}`,
    'Recommends: docker.io | docker-ce | podman, gnome-keyring',
    'Description: Software-development agents on your own machine',
    ' Each conversation works in its own Docker sandbox.',
  ]
}
