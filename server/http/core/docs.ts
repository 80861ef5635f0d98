import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import express, { type Express, type Response } from 'express'
import type { AsyncApi } from '../../api/contract/asyncapi.ts'
import type { Example, OpenApi } from '../../api/contract/openapi.ts'

/** Scripts come from files of this port alone, and the page talks to this port alone. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Examples = Readonly<Record<string, Example>>

interface Options {
  createOpenApi: (examples: Examples) => OpenApi
  createAsyncApi: () => AsyncApi
  /** The resources of the app; a build without them serves the documents alone. */
  resourcesDir: string
  port: 'app' | 'gateway'
}

/**
 * The contract, as documents and as a page to read it and try it out. It holds no data, so it needs no key; and since
 * anybody may ask, each document is made once, when it is first asked for.
 */
export function serveDocs(app: Express, { createOpenApi, createAsyncApi, resourcesDir, port }: Options): void {
  const folder = join(resourcesDir, 'docs')
  const openApi = once(async () =>
    represent(createOpenApi(await readExamples(join(folder, 'data', `${port}-examples.json`)))),
  )
  const asyncApi = once(async () => represent(createAsyncApi()))
  const page = once(async () => toRepresentation('html', await readFile(join(folder, 'index.html'))))
  app.get('/openapi.json', async (_request, response) => sendRepresentation(response, await openApi()))
  app.get('/asyncapi.json', async (_request, response) => sendRepresentation(response, await asyncApi()))
  app.get('/docs', async (_request, response) => {
    response.set('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    sendRepresentation(response, await page())
  })
  const setHeaders = (response: Response) => void response.set('Cache-Control', 'no-cache')
  app.use('/docs', express.static(folder, { index: false, redirect: false, setHeaders }))
}

async function readExamples(file: string): Promise<Examples> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return {}
  }
}

interface Representation {
  type: string
  bytes: Buffer
  etag: string
}

function represent(document: object): Representation {
  return toRepresentation('json', Buffer.from(JSON.stringify(document)))
}

function toRepresentation(type: string, bytes: Buffer): Representation {
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** With its length; 304 to whoever has it already. */
function sendRepresentation(response: Response, { type, bytes, etag }: Representation): void {
  response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).type(type).send(bytes)
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
