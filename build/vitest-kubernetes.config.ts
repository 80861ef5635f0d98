import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { threadCode } from './bundle/thread-code.mjs'

/** Tests of sandboxes that know nothing of Docker: they pass on either engine. */
const SHARED = [
  'test/sandbox/{command,files,terminal}.test.ts',
  'test/tools/terminal/{terminal,secrets,masking}.test.ts',
  'test/tools/apply-patch.test.ts',
  'test/git/init.test.ts',
  'test/conversation/repository-scripts.test.ts',
  'test/knowledge/hooks.test.ts',
  'test/mcp/stdio.test.ts',
]

/** The tests that need a Kubernetes cluster, which `npm test` does not. One file after the other: the cluster has one small node. */
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  plugins: [threadCode()],
  test: {
    name: 'kubernetes',
    environment: 'node',
    include: ['test/kubernetes/**/*.test.ts', ...SHARED],
    setupFiles: [join(import.meta.dirname, '..', 'test/parts/after-each.ts')],
    hookTimeout: 300_000,
    testTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
    maxWorkers: 1,
  },
})
