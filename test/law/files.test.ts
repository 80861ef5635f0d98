import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FILE_LAWS, type SourceFile } from './file-rules.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const FOLDERS = ['server', 'electron', 'renderer', 'build', 'test']

const OFFENCES: Record<keyof typeof FILE_LAWS, SourceFile[]> = {
  'no attics: a name says what is inside': [
    { path: 'server/utils.ts', text: '' },
    { path: 'renderer/helpers/dates.ts', text: '' },
    { path: 'server/common/a.ts', text: '' },
  ],
  'no barrels: an import names the file that it means': [{ path: 'server/api/index.ts', text: '' }],
  'names are kebab-case, components PascalCase': [
    { path: 'server/docker/dockerEngine.ts', text: '' },
    { path: 'renderer/ui/my_button.tsx', text: '' },
  ],
  'no file over 300 lines without a reason': [{ path: 'server/a.ts', text: 'x\n'.repeat(301) }],
  'no fixture hides what vitest gives each test': [
    { path: 'test/a.test.ts', text: "const it = base.extend(\n  'task', () => 1)" },
  ],
  'each wait of vitest has a time limit': [
    { path: 'test/a.test.ts', text: 'await vi.waitFor(() => expect(one).toBe(1))' },
    { path: 'test/a.test.ts', text: 'await vi.waitUntil(\n  () => isSo({ timeout: 1 }),\n  { interval: 5 },\n)' },
    { path: 'test/a.test.ts', text: 'await vi\n  .waitFor(() => one())\n  .catch(fail)' },
    { path: 'test/a.test.ts', text: 'await vi.waitUntil(isSo, undefined)' },
    { path: 'test/a.test.ts', text: 'await vi.waitFor(isSo, { interval: 5, timeout: undefined })' },
  ],
  'no default exports': [{ path: 'server/a.ts', text: '\nexport default 1\n' }],
}

describe.each(Object.entries(FILE_LAWS))('%s', (name, keeps) => {
  test('is kept', () => {
    expect(
      sources()
        .filter(file => !keeps(file))
        .map(({ path }) => path),
    ).toEqual([])
  })

  test('is noticed when broken', () => {
    const offences = OFFENCES[name] ?? []
    expect(offences.length).toBeGreaterThan(0)
    for (const offence of offences) expect(keeps(offence)).toBe(false)
    expect(keeps({ path: 'server/agent/loop.ts', text: 'export const a = 1\n' })).toBe(true)
    expect(keeps({ path: 'renderer/ui/Button.tsx', text: 'export const a = 1\n' })).toBe(true)
  })
})

/** Every source of ours; folders named `data` hold what was recorded, not written. */
function sources(): SourceFile[] {
  return FOLDERS.flatMap(folder => walk(folder)).map(path => ({
    path,
    text: readFileSync(join(PROJECT, path), 'utf8'),
  }))
}

function walk(folder: string): string[] {
  return readdirSync(join(PROJECT, folder)).flatMap(name => {
    const path = `${folder}/${name}`
    if (statSync(join(PROJECT, path)).isDirectory()) return name === 'data' || name === 'resources' ? [] : walk(path)
    return /\.([cm]?[jt]s|tsx|css)$/.test(name) ? [path] : []
  })
}
