import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDependencies } from './dependencies.mjs'
import { ensureImage } from './image.mjs'
import { run } from './machine/command.mjs'
import { cacheFolder, outFolder, projectFolder } from './machine/paths.mjs'
import { SetupError, step } from './machine/progress.mjs'
import { endWith, runApart } from './test/apart.mjs'

const SCRIPT = join(projectFolder, 'test', 'parts', 'kubernetes', 'cluster.sh')
const LIMIT_MS = 40 * 60_000

/**
 * `npm run test:kubernetes [-- PATH…]`: the tests of `test/kubernetes` in a real cluster. That is the one of the kubeconfig
 * KUBECONFIG_UNDER_TEST, whose nodes have the image of sandboxes; without it one is made on this machine, and is gone afterwards.
 * That needs Linux, root and Debian, and the first time 10 minutes or more.
 */
async function test() {
  await ensureDependencies()
  const image = await ensureImage(undefined)
  if (!image) throw new SetupError('Without the image of sandboxes there is nothing to be tested.')
  const given = process.env.KUBECONFIG_UNDER_TEST
  if (given) return runTests({ KUBECONFIG_UNDER_TEST: given })
  const folder = join(cacheFolder(), 'kubernetes')
  mkdirSync(folder, { recursive: true })
  await step('Cluster: its programs', () => cluster('build', folder))
  try {
    await step('Cluster: start', () => cluster('up', folder))
    const archive = join(outFolder, 'resources', 'sandbox-image.tar.gz')
    const load = 'gzip -dc "$1" | bash "$2" import "$3"'
    await step('Cluster: image', () => run('bash', ['-c', load, 'sh', archive, SCRIPT, folder], { quiet: true }))
    const env = {
      KUBECONFIG_UNDER_TEST: join(folder, 'run', 'kubeconfig'),
      ATELIER_TEST_CLUSTER: JSON.stringify(['bash', SCRIPT, folder]),
    }
    return await step('Tests: kubernetes', () => runTests(env))
  } finally {
    await step('Cluster: end', () => cluster('down', folder))
  }
}

/**
 * @param {string} command
 * @param {string} folder
 */
function cluster(command, folder) {
  return run('bash', [SCRIPT, command, folder], { quiet: true })
}

/** @param {NodeJS.ProcessEnv} env */
function runTests(env) {
  return runApart({ name: 'kubernetes', env, limitMs: LIMIT_MS })
}

await endWith(test)
