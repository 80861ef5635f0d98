import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { threadCode } from './bundle/thread-code.mjs'
import { KINDS, type Kind, testFiles } from './test/kinds.mjs'
import { LongestFirst } from './test/longest-first.mjs'
import { WINDOWS } from './test/vitest.mjs'

const root = join(import.meta.dirname, '..')

const files = testFiles(root)

/** Without displays of the run all windows are on one. */
const WORKERS = { unit: 2, bounds: 2, engine: 2, window: process.env.ATELIER_TEST_DISPLAYS ? WINDOWS : 1 }

export default defineConfig({
  root,
  plugins: [threadCode()],
  test: {
    environment: 'node',
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    projects: KINDS.flatMap(kind => [false, true].map(isAlone => project(kind, isAlone))).filter(
      ({ test }) => test.include.length > 0,
    ),
  },
})

function project(kind: Kind, isAlone: boolean) {
  const include = files.filter(file => file.kind === kind && file.isAlone === isAlone).map(({ file }) => file)
  const engine = {
    globalSetup: [join(import.meta.dirname, 'vitest-machine.ts')],
    setupFiles: [join(root, 'test/parts/after-each.ts')],
  }
  // What measures the time of a window has the machine to itself.
  const needsQuiet = kind === 'window' && isAlone
  const ownDisplay = { setupFiles: [...engine.setupFiles, join(root, 'test/parts/window/own-display.ts')] }
  const name = isAlone ? `${kind} alone` : kind
  const needsEngine = kind === 'engine' || kind === 'window'
  // What a test waits for has a limit of its own; this one ends what hangs, and must not depend on what else runs here.
  const testTimeout = 120_000
  const expectation = { poll: { timeout: needsEngine ? 60_000 : 5_000 } }
  // Loading the service takes seconds of processor time: most files share what the one before them has loaded.
  return {
    extends: true as const,
    test: {
      name,
      isolate: isAlone,
      include,
      testTimeout,
      expect: expectation,
      // Of a project: the option of the command line does not reach it.
      maxWorkers: needsQuiet ? 1 : WORKERS[kind],
      sequence: { groupOrder: KINDS.indexOf(kind) * 2 + Number(needsQuiet) },
      ...(needsEngine && engine),
      ...(kind === 'window' && ownDisplay),
    },
  }
}
