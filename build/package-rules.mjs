import { projectFolder } from './machine/paths.mjs'
import { runMain, say } from './machine/progress.mjs'
import { licenseProblems, scriptProblems } from './release/rules.mjs'
import { readLock, shippedPackages } from './release/shipped.mjs'

/** What is asked of the packages that the project depends on: the licences of those that the app carries, and who runs programs when installed. */
await runMain(async () => {
  const problems = [
    ...scriptProblems(readLock(projectFolder)),
    ...licenseProblems(projectFolder, shippedPackages(projectFolder)),
  ]
  if (problems.length === 0) return 0
  say(`${problems.join('\n')}\nLook at what each brings, then change build/release/rules.mjs or leave the package out.`)
  return 1
})
