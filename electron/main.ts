import { join } from 'node:path'
import { runApp } from './app.ts'

runApp(join(import.meta.dirname, '..'), process.env)
