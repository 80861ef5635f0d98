import { join } from 'node:path'
import { ensureDependencies } from './dependencies.mjs'
import { capture } from './machine/command.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { isMain, runMain, say, step } from './machine/progress.mjs'

const bin = join(projectFolder, 'node_modules')

const checks = [
  {
    name: 'Types',
    args: [
      join(bin, 'typescript', 'bin', 'tsc'),
      '-p',
      '.',
      '--incremental',
      '--tsBuildInfoFile',
      join(outFolder, '.tsbuildinfo'),
    ],
  },
  {
    name: 'Lint and format',
    args: [join(bin, '@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'],
  },
  {
    name: 'Unused code and packages',
    args: [
      join(bin, 'knip', 'bin', 'knip.js'),
      '--config',
      'build/knip.json',
      '--no-progress',
      '--treat-config-hints-as-errors',
    ],
  },
  { name: 'Packages', args: [join(projectFolder, 'build', 'package-rules.mjs')] },
  { name: 'API documents', args: [join(projectFolder, 'build', 'api-documents.mjs')] },
]

/**
 * Types, lint and format, what nothing uses, what the packages of others bring, and the documents of the API by the rules of Redocly and Spectral. Import rules are tests, in test/law.
 * @returns {Promise<{name: string, passed: boolean}[]>}
 */
export async function runChecks() {
  const results = []
  for (const { name, args } of checks) {
    const work = () => capture(process.execPath, args, { cwd: projectFolder, quiet: true })
    const { code, output } = await step(name, work, result =>
      result.code === 0 ? 'no complaints' : { failed: 'see below' },
    )
    if (code !== 0) say(output.trimEnd())
    results.push({ name, passed: code === 0 })
  }
  return results
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    await ensureDependencies()
    return (await runChecks()).every(check => check.passed) ? 0 : 1
  })
}
