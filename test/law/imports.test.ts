import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise } from 'dependency-cruiser'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { LAWS, type Law } from './import-rules.ts'

const PROJECT = join(import.meta.dirname, '..', '..')
const FOLDERS = ['server', 'electron', 'renderer']

describe('the import law holds', () => {
  let broken: Map<string, string[]>
  beforeAll(async () => {
    broken = await violations(PROJECT, LAWS)
  })

  test.each(LAWS.map(({ rule }) => [rule.name, rule.comment]))('%s: %s', name => {
    expect(broken.get(name) ?? []).toEqual([])
  })
})

describe('the law notices', () => {
  let folder: string | undefined
  afterEach(() => {
    if (folder) rmSync(folder, { recursive: true })
    folder = undefined
  })

  test.each(LAWS.map((law): [string, Law] => [law.rule.name, law]))('a breach of %s', async (name, law) => {
    folder = plant(law.offence)
    const broken = await violations(folder, [law])
    expect([...broken.keys()]).toEqual([name])
  })

  test('a breach by the import of a type alone', async () => {
    folder = plant({
      'server/api/a.ts': "import type { Log } from '../log.ts'\nexport type A = Log",
      'server/log.ts': 'export interface Log {}',
    })
    expect([...(await violations(folder, LAWS)).keys()]).toEqual(['api-knows-zod-only'])
  })

  test('nothing wrong in a tree that keeps it', async () => {
    folder = plant({
      'server/api/a.ts': "import { z } from 'zod'\nexport const a = z.string()",
      'server/http/b.ts': "import express from 'express'\nimport '../api/a.ts'\nexpress()",
      'renderer/c.tsx':
        "import type { Desktop } from '../electron/ipc.ts'\nimport '../server/api/a.ts'\nexport type D = Desktop",
      'electron/ipc.ts': 'export interface Desktop {}',
    })
    expect([...(await violations(folder, LAWS)).keys()]).toEqual([])
  })
})

/** Rule name → `from → to` of each breach. */
async function violations(folder: string, laws: Law[]): Promise<Map<string, string[]>> {
  const { output } = await cruise(FOLDERS, {
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: laws.map(({ rule }) => rule) },
    doNotFollow: { path: 'node_modules' },
    // Types count: they tie two files together as well.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  })
  if (typeof output === 'string') throw new Error(output)
  const found = new Map<string, string[]>()
  for (const { rule, from, to } of output.summary.violations) {
    found.set(rule.name, [...(found.get(rule.name) ?? []), `${from} → ${to}`])
  }
  return found
}

function plant(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-law-'))
  for (const name of FOLDERS) mkdirSync(join(folder, name))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}
