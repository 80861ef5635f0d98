import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const PROJECT = join(import.meta.dirname, '..', '..')
const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { scripts: object }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-clone-'))
  for (const part of ['build', 'server/docker', 'package.json']) {
    cpSync(join(PROJECT, part), join(folder, part), { recursive: true })
  }
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

test.each(Object.entries(scripts))('`npm run %s` loads before any package is installed', async (_name, command) => {
  const [program, file] = String(command).split(' ')
  expect(program).toBe('node')
  expect(await loads(String(file))).toBe('loaded')
})

test('a script that imports a package at its top does not', async () => {
  writeFileSync(join(folder, 'build', 'early.mjs'), "import 'yaml'\n")
  await expect(loads('build/early.mjs')).rejects.toThrow("Cannot find package 'yaml'")
})

/** Loads a script with all that it imports and runs nothing of it: every import is found before the first module runs. */
async function loads(file: string): Promise<string> {
  const url = pathToFileURL(join(folder, file)).href
  const stop = encodeURIComponent('import { writeSync } from "node:fs"; writeSync(1, "loaded"); process.exit(0)')
  const code = `import 'data:text/javascript,${stop}'\nimport '${url}'\n`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])
  return stdout
}
