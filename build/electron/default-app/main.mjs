// @ts-nocheck -- setAppPath and setVersion are left out of Electron's public types.
// `electron PATH` for a runtime without Electron's own default app: loads the app in PATH as if it were this one.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

const path = process.argv.slice(1).find(argument => !argument.startsWith('-'))
if (!path) {
  process.stderr.write('Usage: electron PATH-OF-AN-APP\n')
  process.exit(1)
}
const folder = resolve(path)
const { name, productName, version, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
app.setAppPath(folder)
app.setName(productName ?? name)
app.setVersion(version)
// Electron is not ready before this module is evaluated, so the app can still do what must come first.
await import(pathToFileURL(join(folder, main)).href)
