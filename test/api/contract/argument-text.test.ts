import { expect, it } from 'vitest'
import { archiveDirectory } from '../../../server/api/agent-server/files.ts'
import { gatewayGitChanges } from '../../../server/api/agent-server/git.ts'
import { listFiles } from '../../../server/api/legacy/workspace.ts'

const QUERIES = [
  ['GET /api/git/changes', gatewayGitChanges.query, { path: '/a', ref: 'main' }, 'ref'],
  ['GET /api/file/archive', archiveDirectory.query, { path: '/a', base_ref: 'main' }, 'base_ref'],
  ['GET /api/file/archive, its patterns', archiveDirectory.query, { path: '/a', exclude: ['*.log'] }, 'exclude'],
  ['GET …/list-files', listFiles.query, { path: 'src' }, 'path'],
] as const

it.each(QUERIES)('%s refuses a NUL where it hands text to a program', (_name, query, valid, field) => {
  expect(query.safeParse(valid).error).toBeUndefined()
  const [value] = [Object(valid)[field]].flat()
  const hostile = Array.isArray(Object(valid)[field]) ? [`${value}\0`] : `${value}\0`
  expect(query.safeParse({ ...valid, [field]: hostile }).success).toBe(false)
})
