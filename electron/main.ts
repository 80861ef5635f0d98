import { join } from 'node:path'
import { runApp } from './app.ts'
import { commandWords, runCommand } from './command-line.ts'

const bundle = join(import.meta.dirname, '..')
const words = commandWords(process.argv)
if (words) void runCommand(bundle, words)
else runApp(bundle, process.env)
