import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBundle } from './bundle.mjs'
import { run } from './machine/command.mjs'
import { fingerprint, isStale, whenStale } from './machine/fingerprint.mjs'
import { withLock } from './machine/lock.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { isMain, runMain, say, step } from './machine/progress.mjs'

const inputs = ['server/api', 'server/client', 'server/data-dir.ts', 'server/discovery-file.ts', 'build/client.mjs']
const typesFolder = join(outFolder, 'client-types')

/** What other programs import as `atelier/client`: the JavaScript, which is part of the bundle, and its types. */
export async function ensureClient() {
  await ensureBundle()
  const stamp = join(typesFolder, '.types')
  const job = { stamp, print: fingerprint(projectFolder, inputs), work: () => step('Types of the client', emitTypes) }
  if (isStale(job)) await withLock('client', () => whenStale(job))
  cpSync(typesFolder, join(outFolder, 'client', 'types'), { recursive: true })
}

async function emitTypes() {
  rmSync(typesFolder, { recursive: true, force: true })
  const compiler = join(projectFolder, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [compiler, '-p', join('build', 'bundle', 'client-types.json')], {
    cwd: projectFolder,
    quiet: true,
  })
  for (const file of readdirSync(typesFolder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue
    const text = readFileSync(join(typesFolder, file), 'utf8')
    writeFileSync(join(typesFolder, file), nameFiles(text))
  }
}

/**
 * Declarations name the sources that they were made from; what stands beside them ends in `.js` for every resolver.
 * @param {string} text
 */
function nameFiles(text) {
  return text.replaceAll(/((?:from |import\()["']\.{1,2}\/[^"']+)\.ts(["'])/g, '$1.js$2')
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    await ensureClient()
    say(`The client is in ${join(outFolder, 'client')}`)
  })
}
