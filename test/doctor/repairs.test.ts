import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diagnosisFinding } from '../../server/api/v1/system/diagnosis.ts'
import { repairSteps } from '../../server/doctor/repairs.ts'
import { projectFolder } from '../parts/project-folder.ts'

const DOCTOR = join(projectFolder, 'server', 'doctor')
const BAD = /state: '(?:problem|warning)',\s*finding: '(\w+)'/g

/** Each finding that a check calls a problem or a warning, with the rest of what that check says of it. */
function badFindings(): { finding: string; rest: string }[] {
  return readdirSync(DOCTOR).flatMap(file => {
    const code = readFileSync(join(DOCTOR, file), 'utf8')
    return [...code.matchAll(BAD)].map(({ 0: start, 1: finding = '', index }) => ({
      finding,
      rest: restOfObject(code, index + start.length),
    }))
  })
}

function restOfObject(code: string, start: number): string {
  let depth = 1
  let end = start
  for (; depth > 0 && end < code.length; end++) {
    if (code[end] === '{') depth++
    if (code[end] === '}') depth--
  }
  return code.slice(start, end)
}

test('every finding that a check calls a problem or a warning has an action or a step, on each platform', () => {
  const bad = badFindings()
  const states = readdirSync(DOCTOR).flatMap(file =>
    [...readFileSync(join(DOCTOR, file), 'utf8').matchAll(/state: '(?:problem|warning)'/g)].map(() => file),
  )
  // None is written so that it is not seen here.
  expect(bad).toHaveLength(states.length)
  const found = bad.map(({ finding }) => finding)
  expect(diagnosisFinding.options).toEqual(expect.arrayContaining(found))
  expect(found).toEqual(expect.arrayContaining(['engine_unavailable', 'disk_full', 'shares_refused', 'model_failed']))
  const bare = bad.flatMap(({ finding, rest }) =>
    (['linux', 'darwin', 'win32'] as const)
      .filter(platform => repairSteps(diagnosisFinding.parse(finding), platform).length === 0)
      .filter(() => !/\baction: '|\bsteps\b/.test(rest))
      .map(platform => `${finding} on ${platform}`),
  )
  expect(bare).toEqual([])
})
