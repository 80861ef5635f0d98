#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { outFolder } from './machine/paths.mjs'

// The command line of a clone: the bundle, which is made once where it is missing.
const program = join(outFolder, 'cli', 'main.js')
if (!existsSync(program)) await (await import('./bundle.mjs')).ensureBundle()
await import(program)
