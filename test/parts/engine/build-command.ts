import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectFolder } from '../project-folder.ts'

/** Runs `node build/NAME.mjs` to its end. `output` is stdout and stderr as they came. */
export async function runBuildCommand(
  name: string,
  options: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const command = join(projectFolder, 'build', `${name}.mjs`)
  const child = spawn(process.execPath, [command, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += chunk
    })
  }
  const [code] = await once(child, 'close')
  return { code, output }
}
