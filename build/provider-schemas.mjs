import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from './machine/paths.mjs'
import { runMain, SetupError } from './machine/progress.mjs'

/**
 * Takes from GitHub's published description of its API what Atelier calls, for `test/law/provider-schemas.test.ts`: the whole
 * is 400 MB unpacked, and this is 80 KB. To be run again for another version, or for another operation.
 */
const PACKAGE = '@octokit/openapi@23.0.2'
const INTEGRITY = 'sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg=='
const DOCUMENT = 'package/generated/api.github.com.json'

/** @type {readonly [path: string, method: string][]} */
const OPERATIONS = [
  ['/repos/{owner}/{repo}', 'get'],
  ['/repos/{owner}/{repo}/actions/jobs/{job_id}/logs', 'get'],
  ['/repos/{owner}/{repo}/branches', 'get'],
  ['/repos/{owner}/{repo}/commits', 'get'],
  ['/repos/{owner}/{repo}/contents/{path}', 'get'],
  ['/repos/{owner}/{repo}/issues/{issue_number}/comments', 'post'],
  ['/repos/{owner}/{repo}/pulls', 'get'],
  ['/repos/{owner}/{repo}/pulls', 'post'],
  ['/repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', 'post'],
  ['/search/repositories', 'get'],
  ['/user', 'get'],
  ['/user/installations', 'get'],
  ['/user/installations/{installation_id}/repositories', 'get'],
  ['/user/orgs', 'get'],
  ['/user/repos', 'get'],
]

/** What says nothing about the shape of a value. */
const WORDS = new Set(['description', 'example', 'examples', 'summary', 'title', 'externalDocs', 'x-github'])

function extract() {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-schemas-'))
  try {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', PACKAGE], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    )
    if (packed.integrity !== INTEGRITY) throw new SetupError(`${PACKAGE} is not what it was: ${packed.integrity}`)
    execFileSync('tar', ['xzf', packed.filename, DOCUMENT], { cwd: folder })
    const document = JSON.parse(readFileSync(join(folder, DOCUMENT), 'utf8'))
    const file = join(projectFolder, 'test/fakes/data/github-openapi.json')
    writeFileSync(file, `${JSON.stringify(excerptOf(document))}\n`)
    return file
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {any} document */
function excerptOf(document) {
  /** @type {Record<string, unknown>} */
  const schemas = {}
  /** @param {unknown} schema */
  const follow = schema => {
    if (Array.isArray(schema)) for (const item of schema) follow(item)
    if (typeof schema !== 'object' || schema === null) return
    const name = '$ref' in schema && String(schema.$ref).replace('#/components/schemas/', '')
    if (name && !(name in schemas)) {
      schemas[name] = withoutWords(document.components.schemas[name])
      follow(document.components.schemas[name])
    }
    for (const value of Object.values(schema)) follow(value)
  }
  const operations = OPERATIONS.map(([path, method]) => {
    const operation = document.paths[path]?.[method]
    if (!operation) throw new SetupError(`GitHub has no ${method} ${path}.`)
    const replies = Object.entries(operation.responses)
      .filter(([status]) => /^[23]/.test(status) && status !== '304')
      .map(([status, reply]) => {
        const schema = reply.content?.['application/json']?.schema ?? null
        follow(schema)
        return [status, withoutWords(schema)]
      })
    const body = operation.requestBody?.content?.['application/json']?.schema ?? null
    follow(body)
    const query = (operation.parameters ?? [])
      .map((/** @type {any} */ one) => document.components.parameters[one.$ref?.split('/').at(-1)] ?? one)
      .filter((/** @type {any} */ one) => one.in === 'query')
      .map((/** @type {any} */ one) => one.name)
    return { path, method, query, body: withoutWords(body), replies: Object.fromEntries(replies) }
  })
  return { source: `${PACKAGE}/${DOCUMENT.replace('package/', '')}`, license: 'MIT', operations, schemas }
}

/**
 * @param {any} schema
 * @param {boolean} areNames its keys are names of properties
 * @returns {any}
 */
function withoutWords(schema, areNames = false) {
  if (Array.isArray(schema)) return schema.map(item => withoutWords(item))
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([key]) => areNames || !WORDS.has(key))
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutWords(value, key === 'properties' && !areNames)]))
}

await runMain(async () => {
  process.stdout.write(`${extract()}\n`)
})
