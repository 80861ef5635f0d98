import { join } from 'node:path'
import { ensureBundle } from './bundle.mjs'
import { runInPlace } from './machine/foreground.mjs'
import { outFolder } from './machine/paths.mjs'
import { runMain } from './machine/progress.mjs'

// Needs neither an engine nor a running service: it is for the day on which nothing else starts.
await runMain(async () => {
  await ensureBundle()
  const main = join(outFolder, 'server', 'main.js')
  return runInPlace(process.execPath, [main, 'restore', ...process.argv.slice(2)], { env: process.env })
})
