import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from '../machine/command.mjs'
import { cacheFolder, projectFolder } from '../machine/paths.mjs'
import { step } from '../machine/progress.mjs'

const electronPackage = join(projectFolder, 'node_modules', 'electron')
const dist = join(electronPackage, 'dist')
const day = 24 * 60 * 60 * 1000

/**
 * The official binary, downloaded by Electron's own installer when its server answers. Where it does not, we ask again
 * a day later.
 * @returns {Promise<string | undefined>}
 */
export async function officialElectron() {
  const { version } = JSON.parse(readFileSync(join(electronPackage, 'package.json'), 'utf8'))
  if (installedVersion() === version) return dist
  const silent = join(cacheFolder(), 'electron-server-silent')
  if (existsSync(silent) && Date.now() - statSync(silent).mtimeMs < day) return undefined
  if (await serverAnswers(version)) {
    const installer = join(electronPackage, 'install.js')
    const work = () => run(process.execPath, [installer], { quiet: true, timeout: 15 * 60_000 })
    const done = await step(`Downloading Electron ${version}`, work).then(
      () => true,
      () => false,
    )
    if (done) return dist
  }
  mkdirSync(dirname(silent), { recursive: true })
  writeFileSync(silent, '')
  return undefined
}

function installedVersion() {
  const file = join(dist, 'version')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().replace(/^v/, '') : undefined
}

/** @param {string} version */
async function serverAnswers(version) {
  const mirror = process.env.ELECTRON_MIRROR ?? 'https://github.com/electron/electron/releases/download/'
  try {
    const signal = AbortSignal.timeout(5000)
    const response = await fetch(`${mirror}v${version}/SHASUMS256.txt`, { signal })
    const text = await response.text()
    return response.ok && text.includes('electron-v')
  } catch {
    return false
  }
}
