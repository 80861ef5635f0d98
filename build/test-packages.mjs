import { ensureDependencies } from './dependencies.mjs'
import { canInstall, ensurePackages } from './machine/debian.mjs'
import { SetupError } from './machine/progress.mjs'
import { ensurePackage } from './package.mjs'
import { machineEnv, setUp } from './setup.mjs'
import { endWith, runApart } from './test/apart.mjs'
import { ensureDebianRoot } from './test/debian-root.mjs'

const LIMIT_MS = 30 * 60_000

/**
 * `npm run test:packages [-- PATH…]`: the tests of `test/package`, which make packages of the app for Linux, install them in a Debian of
 * their own without a network, and use and remove the app there. That needs root on Debian, and the first time a minute more.
 */
async function test() {
  if (!canInstall()) throw new SetupError('Packages are installed and removed by root on Debian: run this there.')
  await ensureDependencies()
  await ensurePackages(['image', 'packages'])
  const [root, machine] = await Promise.all([ensureDebianRoot(), setUp({ electron: true })])
  const { electron } = machine
  if (!electron) throw new SetupError('Without Electron there is nothing to be packaged.')
  const app = await ensurePackage(electron)
  return runApart({
    name: 'packages',
    env: { ...machineEnv(machine), ATELIER_TEST_APP: app, ATELIER_TEST_ROOT: root },
    limitMs: LIMIT_MS,
  })
}

await endWith(test)
