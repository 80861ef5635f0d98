import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import { beforeAll, describe, expect, test } from 'vitest'
import { crowded, type ImportEdge, knots, reachedAdapters, repetitive } from './folder-rules.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const FOLDERS = ['server', 'electron', 'renderer', 'test']

describe('the folders', () => {
  const files = FOLDERS.flatMap(sourcesIn)
  let edges: ImportEdge[]
  beforeAll(async () => {
    edges = await imports()
  })

  test('hold few files side by side', () => {
    expect(crowded(files)).toEqual([])
    expect(crowded(Array.from({ length: 23 }, (_, index) => `server/a/${index}.ts`))).toEqual(['server/a: 23'])
  })

  test('are not named again by their files', () => {
    expect(repetitive(files)).toEqual([])
    expect(repetitive(['server/settings/settings-form.ts', 'server/settings/form.ts'])).toHaveLength(1)
  })

  test('of the service import each other in no circle', () => {
    expect(knots(edges)).toEqual([])
    const circle = [
      { from: 'server/a/one.ts', to: 'server/b/two.ts' },
      { from: 'server/b/three.ts', to: 'server/c.ts' },
      { from: 'server/c.ts', to: 'server/a/four.ts' },
      { from: 'server/a/one.ts', to: 'server/d/five.ts' },
    ]
    expect(knots(circle)).toHaveLength(3)
  })

  test('of adapters are known to what puts the service together, and to HTTP', () => {
    expect(reachedAdapters(edges)).toEqual([])
    expect(reachedAdapters([{ from: 'server/conversation/a.ts', to: 'server/agent-server/b.ts' }])).toHaveLength(1)
    expect(reachedAdapters([{ from: 'server/http/a.ts', to: 'server/agent-server/b.ts' }])).toEqual([])
  })
})

function sourcesIn(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .map(path => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter(path => /\.([cm]?[jt]s|tsx|css)$/.test(path))
}

async function imports(): Promise<ImportEdge[]> {
  const { output } = await cruise(['server', 'electron'], {
    baseDir: PROJECT,
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
  })
  if (typeof output === 'string') throw new Error(output)
  const ours = (path: string) => path.startsWith('server/')
  return output.modules.flatMap(({ source, dependencies }) =>
    dependencies.filter(({ resolved }) => ours(resolved)).map(({ resolved }) => ({ from: source, to: resolved })),
  )
}
