import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failures, sum, tally } from '../../build/test/report.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

type File = { status: string; tests: string[] }

function report(...files: File[]): string {
  const path = join(folder, 'report.json')
  const testResults = files.map(({ status, tests }, index) => ({
    name: `${index}.test.ts`,
    status,
    assertionResults: tests.map(each => ({ status: each })),
  }))
  writeFileSync(path, JSON.stringify({ testResults }))
  return path
}

test('passed, failed and skipped tests are counted apart', () => {
  const file = report(
    { status: 'failed', tests: ['passed', 'failed', 'pending'] },
    { status: 'passed', tests: ['passed'] },
  )
  expect(tally(file, 1)).toEqual({ passed: 2, failed: 1, skipped: 1 })
})

test('a file that could not be loaded is a failure', () => {
  const file = report({ status: 'failed', tests: [] }, { status: 'passed', tests: ['passed'] })
  expect(tally(file, 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
})

test('an error outside every test is a failure', () => {
  expect(tally(report({ status: 'passed', tests: ['passed'] }), 1).failed).toBe(1)
})

test('a run without a test is a failure', () => {
  expect(tally(report(), 0).failed).toBe(1)
  expect(tally(report({ status: 'passed', tests: ['skipped'] }), 0)).toEqual({ passed: 0, failed: 1, skipped: 1 })
})

test('a run that wrote no report is a failure', () => {
  expect(tally(join(folder, 'absent.json'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('what failed is named in a line each: file, test, and the first line of what it said', () => {
  const path = join(folder, 'report.json')
  const testResults = [
    {
      name: join(folder, 'test/one.test.ts'),
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'holds' },
        { status: 'failed', fullName: 'breaks', failureMessages: ['Error: it broke\n  at line 1'] },
        { status: 'failed', fullName: 'says nothing', failureMessages: [] },
      ],
    },
    { name: join(folder, 'test/two.test.ts'), status: 'failed', message: '\nno such file', assertionResults: [] },
    { name: join(folder, 'test/three.test.ts'), status: 'passed', assertionResults: [] },
  ]
  writeFileSync(path, JSON.stringify({ testResults }))
  expect(failures(path, folder)).toEqual([
    'test/one.test.ts > breaks: Error: it broke',
    'test/one.test.ts > says nothing: no message',
    'test/two.test.ts: no such file',
  ])
  expect(failures(join(folder, 'absent.json'), folder)).toEqual([])
})

test('several runs add up', () => {
  expect(
    sum([
      { passed: 1, failed: 2, skipped: 0 },
      { passed: 3, failed: 0, skipped: 4 },
    ]),
  ).toEqual({
    passed: 4,
    failed: 2,
    skipped: 4,
  })
})
