import { join } from 'node:path'
import { app, BrowserWindow } from 'electron'
import { runApp } from '../app.ts'
import { startServiceProcess } from '../service/child.ts'
import { serveDevPages } from './pages.ts'
import { createReplaceableService } from './replaceable-service.ts'

/** `npm run dev` has bundled the service anew, or has chosen the model of the service that this process reported. */
type Message = { kind: 'bundled'; service: string } | { kind: 'prepared' }

const { ATELIER_DEV_SERVER: server, ATELIER_DEV_NONCE: nonce, ATELIER_DEV_SERVICE: file } = process.env
const { ATELIER_DEV_RESOURCES: resources } = process.env
if (app.isPackaged || !server || !nonce || !file || !resources) {
  throw new Error('This program belongs to `npm run dev`.')
}

let url: string | undefined
const service = createReplaceableService(file, async options => {
  const started = await startServiceProcess({ ...options, execArgv: debuggerOfService() })
  await prepared(started.url)
  // A page finds the service at its address again by itself, and not at another one.
  if (url !== undefined && url !== started.url) {
    for (const window of BrowserWindow.getAllWindows()) window.webContents.reload()
  }
  url = started.url
  return started
})

process.on('message', (message: Message) => {
  if (message.kind !== 'bundled') return
  const started = performance.now()
  service.replace(message.service).then(
    () => process.stderr.write(`✓ The service runs anew (${((performance.now() - started) / 1000).toFixed(1)} s)\n`),
    error => process.stderr.write(`✗ The service could not start. ${error instanceof Error ? error.stack : error}\n`),
  )
})

/** With `--inspect` a port for the service too: the next after the app's own, or as that any that is free. */
function debuggerOfService(): string[] {
  const asked = process.argv.map(argument => /^--inspect(?:=(?:.*:)?(\d+))?$/.exec(argument)).find(Boolean)
  if (!asked) return []
  const port = Number(asked[1] ?? 9229)
  return [`--inspect=${port === 0 ? 0 : port + 1}`]
}

/** A page must not see the service before its model is chosen, or it would ask for one. */
function prepared(url: string): Promise<void> {
  return new Promise(resolve => {
    const listen = ({ kind }: Message): void => {
      if (kind !== 'prepared') return
      process.off('message', listen)
      resolve()
    }
    process.on('message', listen)
    process.send?.({ url })
  })
}

runApp({
  bundle: join(import.meta.dirname, '..'),
  resources,
  env: process.env,
  servePages: session => serveDevPages(session, { server, nonce }),
  startService: service.start,
})
