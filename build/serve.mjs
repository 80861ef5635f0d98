import { join } from 'node:path'
import { runInPlace } from './machine/foreground.mjs'
import { outFolder } from './machine/paths.mjs'
import { runMain } from './machine/progress.mjs'
import { machineEnv, setUp } from './setup.mjs'

// stdout belongs to the service alone: it prints one JSON line there when it is ready.
await runMain(async () => {
  const machine = await setUp()
  return runInPlace(process.execPath, [join(outFolder, 'server', 'main.js')], { env: machineEnv(machine) })
})
