import { createHash } from 'node:crypto'
import type { Express, Response } from 'express'
import type { JsonSchema } from '../api/json-schemas.ts'
import type { Content, OpenApi, Operation, Parameter } from '../api/openapi.ts'
import { DOCS_STYLE } from './docs-style.ts'

/**
 * The contract to read, as JSON and as a page without scripts. It holds no data, so it needs no key; and since anybody may
 * ask, each is made once, when it is first asked for.
 */
export function serveDocs(app: Express, options: { createDocument: () => OpenApi; example: string }): void {
  const document = once(options.createDocument)
  const json = once(() => represent('json', JSON.stringify(document())))
  const page = once(() => represent('html', renderDocs(document(), options.example)))
  app.get('/openapi.json', (_request, response) => sendRepresentation(response, json()))
  app.get('/docs', (_request, response) => {
    response.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    sendRepresentation(response, page())
  })
}

interface Representation {
  type: string
  bytes: Buffer
  etag: string
}

function represent(type: string, text: string): Representation {
  const bytes = Buffer.from(text)
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}

/** With its length; 304 to whoever has it already. */
function sendRepresentation(response: Response, { type, bytes, etag }: Representation): void {
  response.set({ ETag: etag, 'Cache-Control': 'no-cache' }).type(type).send(bytes)
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

interface Entry {
  method: string
  path: string
  operation: Operation
}

function renderDocs(document: OpenApi, example: string): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method, path, operation })),
  )
  const tags = [...new Set(entries.flatMap(({ operation }) => operation.tags))]
  const sections = tags.map(tag => renderTag(tag, entries, document)).join('')
  const links = tags.map(tag => `<a href="#${anchor(tag)}">${escapeHtml(tag)}</a>`).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(document.info.title)} API</title><style>${DOCS_STYLE}</style>
<nav aria-label="Sections"><strong>${escapeHtml(document.info.title)} API</strong>${links}<a href="#schemas">Schemas</a></nav>
<main><h1>${escapeHtml(document.info.title)} API <small>${escapeHtml(document.info.version)}</small></h1>
${document.info.description
  .split('\n')
  .map(line => `<p>${escapeHtml(line)}</p>`)
  .join('')}
<pre>curl -H "X-Session-API-Key: $KEY" ${escapeHtml(document.servers[0]?.url ?? '')}${escapeHtml(example)}</pre>
${sections}${renderSchemas(document)}</main></html>`
}

function renderTag(tag: string, entries: Entry[], document: OpenApi): string {
  const operations = entries.filter(({ operation }) => operation.tags.includes(tag))
  return `<section><h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>${operations.map(one => renderOperation(one, document)).join('')}</section>`
}

function renderOperation({ method, path, operation }: Entry, document: OpenApi): string {
  const body = firstSchema(operation.requestBody?.content)
  const [status = '200'] = Object.keys(operation.responses)
  const reply = firstSchema(operation.responses[status]?.content) ?? {}
  return `<details id="${operation.operationId}"><summary><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code>
<span>${escapeHtml(operation.summary)}</span></summary>
${operation.security ? `<p>${operation.security.length === 0 ? 'Needs no key.' : 'Needs the key of a sandbox.'}</p>` : ''}
${renderParameters(operation.parameters)}
${body ? `<h4>Body</h4>${renderSchema(body, document)}` : ''}
<h4>Reply ${escapeHtml(status)}</h4>${renderSchema(reply, document)}</details>`
}

function firstSchema(content: Content | undefined): JsonSchema | undefined {
  return Object.values(content ?? {})[0]?.schema
}

function renderParameters(parameters: Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    one =>
      `<tr><td><code>${escapeHtml(one.name)}</code><td>${one.in}<td>${typeOf(one.schema)}<td>${one.required ? 'required' : ''}`,
  )
  return `<h4>Parameters</h4><table>${rows.join('')}</table>`
}

/** The fields of an object, or the name of what it is. */
function renderSchema(schema: JsonSchema, document: OpenApi): string {
  const resolved = resolve(schema, document)
  const properties = record(resolved.properties)
  if (!properties) return `<p>${typeOf(schema)}</p>`
  const required = new Set(Array.isArray(resolved.required) ? resolved.required : [])
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code><td>${typeOf(record(field) ?? {})}<td>${required.has(name) ? 'required' : ''}`,
  )
  return `<table>${rows.join('')}</table>`
}

function renderSchemas(document: OpenApi): string {
  const shown = Object.entries(document.components.schemas).map(
    ([id, schema]) =>
      `<details id="schema-${escapeHtml(id)}"><summary><code>${escapeHtml(id)}</code></summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`,
  )
  return `<section><h2 id="schemas">Schemas</h2>${shown.join('')}</section>`
}

function typeOf(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') {
    const id = schema.$ref.replace('#/components/schemas/', '')
    return `<a href="#schema-${escapeHtml(id)}">${escapeHtml(id)}</a>`
  }
  if (Array.isArray(schema.enum)) return schema.enum.map(value => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  if ('const' in schema) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (choices) return choices.map(choice => typeOf(record(choice) ?? {})).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(record(schema.items) ?? {})}`
  return escapeHtml([schema.type].flat().filter(Boolean).join(' or ') || 'anything')
}

function resolve(schema: JsonSchema, document: OpenApi): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  return document.components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}
}

function record(value: unknown): JsonSchema | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

function anchor(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, '-')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
