import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests of packages, which `npm test` leaves out. One file after the other: each keeps both processors busy. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  test: {
    name: 'packages',
    environment: 'node',
    include: ['test/package/**/*.test.ts'],
    hookTimeout: 600_000,
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
    maxWorkers: 1,
  },
})
