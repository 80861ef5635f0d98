import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { threadCode } from './bundle/thread-code.mjs'

const root = join(import.meta.dirname, '..')

/** What measures time or memory, or a whole window, shares no process with what other tests have left in memory. */
const MEASURES = /performance\.now|memoryUsage|cpuUsage|processorTime|ratio-of-times|setFlagsFromString|\bgc\(/
const alone = testFiles().filter(
  file => file.startsWith('test/e2e/') || MEASURES.test(readFileSync(join(root, file), 'utf8')),
)

export default defineConfig({
  root,
  plugins: [threadCode()],
  test: {
    environment: 'node',
    globalSetup: [join(import.meta.dirname, 'vitest-machine.ts')],
    setupFiles: [join(root, 'test/parts/after-each.ts')],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests drive a real engine: more workers than cores only makes its calls wait for each other.
    maxWorkers: 2,
    // Loading the service takes seconds of processor time: most files share what the one before them has loaded.
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, include: ['test/**/*.test.{ts,tsx}'], exclude: alone } },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
})

function testFiles(): string[] {
  const found = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  return found.filter(file => /\.test\.tsx?$/.test(file)).map(file => `test/${file.replaceAll('\\', '/')}`)
}
