import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { threadCode } from './bundle/thread-code.mjs'

const root = join(import.meta.dirname, '..')

export default defineConfig({
  root,
  plugins: [threadCode()],
  test: {
    environment: 'node',
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: [join(import.meta.dirname, 'vitest-machine.ts')],
    setupFiles: [join(root, 'test/parts/after-each.ts')],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests drive a real engine: more workers than cores only makes its calls wait for each other.
    maxWorkers: 2,
    // On a shared CI machine a pause of seconds can come between any two steps. The report names what needed a second try.
    retry: process.env.CI ? 1 : 0,
  },
})
