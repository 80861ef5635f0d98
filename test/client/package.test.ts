import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureClient } from '../../build/client.mjs'
import { GATEWAY_OPERATIONS } from '../../server/api/agent-server/contract.ts'
import { OPERATIONS } from '../../server/api/contract/routes.ts'
import * as gatewayRoutes from '../../server/client/gateway-routes.ts'
import * as routes from '../../server/client/routes.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
let folder: string

/** A project of somebody else, which has installed the package. */
beforeAll(async () => {
  await ensureClient()
  folder = mkdtempSync(join(tmpdir(), 'atelier-consumer-'))
  mkdirSync(join(folder, 'node_modules'))
  for (const [name, target] of [
    ['atelier', PROJECT],
    ['zod', join(PROJECT, 'node_modules', 'zod')],
    ['@types', join(PROJECT, 'node_modules', '@types')],
  ] as const) {
    symlinkSync(target, join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
}, 180_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function compile(name: string, options: object = {}): Promise<string> {
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    noEmit: true,
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    types: ['node'],
    ...options,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }))
  const compiler = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch(
    error => error,
  )
  return stdout
}

describe('the types of the package', () => {
  test('fit the examples', async () => {
    const examples = join(PROJECT, 'docs', 'examples')
    const names = readdirSync(examples)
    for (const name of names) writeFileSync(join(folder, name), readFileSync(join(examples, name)))
    writeFileSync(join(folder, 'all.mts'), names.map(name => `import './${name}'`).join('\n'))
    // An argument of the command line may be absent: the examples do not check what a person gives them.
    expect(await compile('all.mts', { strictNullChecks: false })).toBe('')
  })

  test('find a wrong field, a wrong type and a field that a reply does not have', async () => {
    writeFileSync(
      join(folder, 'wrong.mts'),
      `import { Atelier, routes } from 'atelier/client'
const atelier = new Atelier({ url: '', key: '' })
await atelier.call(routes.pauseSandbox, { params: { sandbox: 'a' } })
await atelier.run({ message: 1 })
const { version } = await atelier.call(routes.getSystem)
version.toFixed()
`,
    )
    const lines = (await compile('wrong.mts')).split('\n').filter(line => line.startsWith('wrong.mts'))
    expect(lines.map(line => /\((\d+),/.exec(line)?.[1])).toEqual(['3', '4', '6'])
  })
})

test('every operation has its place in the client', () => {
  const lacking = (all: ReadonlyMap<string, unknown>, exported: object) =>
    [...all].filter(([name, route]) => (exported as Record<string, unknown>)[name] !== route).map(([name]) => name)
  expect(lacking(OPERATIONS, routes)).toEqual([])
  expect(lacking(GATEWAY_OPERATIONS, gatewayRoutes)).toEqual([])
})

test('the file for browsers needs nothing of Node.js', () => {
  const code = readFileSync(join(PROJECT, 'out', 'client', 'browser.js'), 'utf8')
  expect(code.match(/^(import|export) .*from .*|\brequire\(.*|import\(.*/gm) ?? []).toEqual([])
})
