import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { appVersion } from './bundle.mjs'
import { runChecks } from './check.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { capture } from './machine/command.mjs'
import { projectFolder } from './machine/paths.mjs'
import { runMain, SetupError, say, step } from './machine/progress.mjs'
import { ensurePackage, makePackages, parseOptions } from './package.mjs'
import { signDescriptions, updateSource } from './release/signature.mjs'
import { versionProblems } from './release/version.mjs'
import { setUp } from './setup.mjs'

/**
 * `npm run release`: looks whether this commit can be released, makes the packages of this system and their sums. It publishes nothing.
 * With `--check` it only looks. With `--dry-run` problems of the version and the tree are said and passed over, and the packages are those
 * for tests.
 */
await runMain(async () => {
  const [option, ...more] = process.argv.slice(2)
  if (more.length > 0 || (option !== undefined && option !== '--check' && option !== '--dry-run')) {
    throw new SetupError('npm run release takes nothing, --check or --dry-run.')
  }
  const key = process.env.ATELIER_UPDATE_PRIVATE_KEY
  // Nothing that packages or checks sees it.
  delete process.env.ATELIER_UPDATE_PRIVATE_KEY
  const isTrial = option === '--dry-run'
  const problems = [...(await treeProblems()), ...versionProblems(await versionState())]
  for (const problem of problems) say(`${isTrial ? '!' : '✗'} ${problem}`)
  if (problems.length > 0 && !isTrial) return 1
  await ensureDependencies()
  if (!(await runChecks()).every(({ passed }) => passed)) return 1
  if (option === '--check') return 0
  const { electron } = await setUp({ electron: true })
  if (!electron) return 1
  const { chosen, release } = parseOptions(isTrial ? ['--all'] : ['--all', '--release'])
  const files = await makePackages(await ensurePackage(electron, { release }), { chosen, release, electron })
  const source = updateSource()
  const signatures = key ? signDescriptions(dirname(files[0] ?? ''), { key, ...(source ?? {}) }) : []
  if (!key) say('! The descriptions of the update are not signed: ATELIER_UPDATE_PRIVATE_KEY is not set.')
  const sums = await step('Adding up', () => writeSums([...files, ...signatures]))
  say(`✓ ${sums}\n${readFileSync(sums, 'utf8').trimEnd()}`)
  return 0
})

async function treeProblems() {
  const { code, stdout } = await git('status', '--porcelain')
  if (code !== 0) return ['This is no clone of git, so nobody could say what the packages were made of.']
  return stdout === '' ? [] : ['Some files are not committed. Commit or remove them: packages are made of commits.']
}

async function versionState() {
  const { stdout } = await git('tag', '--points-at', 'HEAD', 'v*')
  const tags = stdout.split('\n').filter(Boolean)
  return { version: appVersion(), changelog: readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8'), tags }
}

/** @param {string[]} args */
function git(...args) {
  return capture('git', args, { cwd: projectFolder, quiet: true })
}

/**
 * @param {readonly string[]} files of one folder
 * @returns {Promise<string>} the file, as `sha256sum --check` reads it
 */
async function writeSums(files) {
  const lines = []
  for (const file of [...files].sort()) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    lines.push(`${hash.digest('hex')}  ${basename(file)}\n`)
  }
  const sums = join(dirname(files[0] ?? ''), 'SHA256SUMS')
  writeFileSync(sums, lines.join(''))
  return sums
}
