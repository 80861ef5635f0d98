import { readFileSync } from 'node:fs'
import { bundledPackagesFile, ensureBundle } from './bundle.mjs'
import { capture } from './machine/command.mjs'
import { projectFolder } from './machine/paths.mjs'
import { runMain, say } from './machine/progress.mjs'
import {
  copyProblems,
  deprecationProblems,
  licenseProblems,
  scriptProblems,
  vulnerabilityProblems,
} from './release/rules.mjs'
import { readLock, shippedPackages } from './release/shipped.mjs'

const AUDIT_MS = 60_000

/**
 * What is asked of the packages that the project depends on: the licences of those that the app carries, who runs programs when
 * installed, what is carried twice, what its makers have given up, and what is known to be vulnerable.
 */
await runMain(async () => {
  await ensureBundle()
  const lock = readLock(projectFolder)
  const vulnerable = vulnerabilityProblems(await audit())
  if (vulnerable === undefined)
    say('! The registry of npm does not say which packages are vulnerable: that was not checked.')
  const problems = [
    ...scriptProblems(lock),
    ...deprecationProblems(lock),
    ...(vulnerable ?? []),
    ...licenseProblems(projectFolder, shippedPackages(projectFolder)),
    ...copyProblems(lock, JSON.parse(readFileSync(bundledPackagesFile, 'utf8'))),
  ]
  if (problems.length === 0) return 0
  say(`${problems.join('\n')}\nLook at what each brings, then change build/release/rules.mjs or leave the package out.`)
  return 1
})

/** Of what the app carries and of what builds it. @returns {Promise<string>} what npm printed */
async function audit() {
  const { stdout } = await capture('npm', ['audit', '--json'], { cwd: projectFolder, quiet: true, timeout: AUDIT_MS })
  return stdout
}
