#!/usr/bin/env node
import { join } from 'node:path'
import { ensureBundle } from './bundle.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { outFolder } from './machine/paths.mjs'
import { SetupError, say } from './machine/progress.mjs'

// The command line of a clone: the bundle, made anew when a source has changed.
try {
  await ensureDependencies()
  await ensureBundle()
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  say(`✗ ${error.message}`)
  process.exit(1)
}
await import(join(outFolder, 'cli', 'main.js'))
