import { join } from 'node:path'
import { app } from 'electron'
import { runApp } from './app.ts'
import { commandWords, runCommand } from './command-line.ts'
import { restartsForWayland } from './display/wayland.ts'
import { serveAppScheme } from './protocol.ts'
import { startServiceProcess } from './service/child.ts'

const bundle = join(import.meta.dirname, '..')
const words = commandWords(process.argv)
if (words) void runCommand(bundle, words)
else if (!restartsForWayland(process.env)) {
  runApp({
    bundle,
    resources: app.isPackaged ? process.resourcesPath : join(bundle, 'resources'),
    env: process.env,
    servePages: session => serveAppScheme(session, join(bundle, 'renderer')),
    startService: startServiceProcess,
  })
}
