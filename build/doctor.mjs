import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { isInstalled } from './dependencies.mjs'
import { engineAdvice } from './engine/advice.mjs'
import { findEngine } from './engine/find.mjs'
import { archiveInfoFile } from './image.mjs'
import { runInPlace } from './machine/foreground.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { runMain } from './machine/progress.mjs'
import { nodeProblem } from './setup.mjs'

const MIN_FREE_BYTES = 5e9

// What a clone needs before anything is installed, with nothing but Node.js; then what the app itself checks.
await runMain(async () => {
  const problem = nodeProblem()
  const packages = existsSync(join(projectFolder, 'node_modules')) && isInstalled()
  const results = [
    print(problem === undefined, 'Node.js', problem ?? process.versions.node),
    print(
      packages,
      'Packages',
      packages ? 'installed' : 'not installed as package-lock.json says; `npm start` installs them',
    ),
    await disk(),
  ]
  const program = join(outFolder, 'cli', 'main.js')
  if (packages && existsSync(program)) {
    const code = await runInPlace(process.execPath, [program, 'doctor', ...process.argv.slice(2)], { env: process.env })
    return results.includes(false) ? 1 : code
  }
  results.push(await engine())
  const image = existsSync(archiveInfoFile())
  print(image, 'Sandbox image', image ? 'made' : 'not made yet; `npm start` makes it')
  print(false, 'App', 'not built yet; `npm start` builds it, and this then checks keychain, ports and the rest')
  return results.includes(false) ? 1 : 0
})

async function engine() {
  const found = await findEngine()
  return print(
    found !== undefined,
    'Engine',
    found ? `${found.name} at ${found.host.replace(/\/\/[^@/]*@/, '//')}` : `none answers. ${engineAdvice()}`,
  )
}

async function disk() {
  const { bavail, bsize } = await statfs(projectFolder)
  const free = bavail * bsize
  return print(free > MIN_FREE_BYTES, 'Disk', `${(free / 1e9).toFixed(1)} GB are free; set-up takes about 3 GB`)
}

/**
 * @param {boolean} isWell
 * @param {string} what
 * @param {string} words
 */
function print(isWell, what, words) {
  process.stdout.write(`${isWell ? '✓' : '✗'} ${what}: ${words}\n`)
  return isWell
}
