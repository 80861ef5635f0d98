// @ts-nocheck -- setAppPath and setVersion are left out of Electron's public types.
// `electron PATH` for a runtime without Electron's own default app: loads the app in PATH as if it were this one.
const { app } = require('electron')
const { readFileSync } = require('node:fs')
const { join, resolve } = require('node:path')
const { pathToFileURL } = require('node:url')

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
import(pathToFileURL(join(folder, main)).href).catch(error => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
