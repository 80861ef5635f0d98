import { join } from 'node:path'
import { bundleProgram } from './bundle/node.mjs'
import { runInPlace } from './machine/foreground.mjs'
import { outFolder, projectFolder } from './machine/paths.mjs'
import { canMakePrivateMachine, runInPrivateMachine } from './machine/private-machine.mjs'
import { say } from './machine/progress.mjs'
import { machineEnv, setUp } from './setup.mjs'

/**
 * Runs `test/NAME/main.ts` with the arguments of this process, where possible on a private machine: there it has an
 * engine and a disk of its own, reaches nobody else, and leaves nothing behind however it ends.
 * @param {string} name
 * @returns {Promise<number>} the exit code
 */
export async function runProof(name) {
  const machine = await setUp({ tests: true })
  const folder = join(outFolder, name)
  await bundleProgram({ name: 'main', source: join(projectFolder, 'test', name, 'main.ts'), folder })
  const command = [process.execPath, join(folder, 'main.js'), ...process.argv.slice(2)]
  const env = machineEnv(machine)
  if (canMakePrivateMachine()) return runInPrivateMachine(command, env)
  say('! An engine and a disk of its own need Linux, root and dockerd. What needs them is left out.')
  return runInPlace(process.execPath, command.slice(1), { env })
}
