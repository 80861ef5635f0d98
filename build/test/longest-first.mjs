import { join } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import { projectFolder } from '../machine/paths.mjs'

/**
 * What lasts longest, mostly because it waits: begun last, it would be waited for by idle processors. Where a test file
 * is moved, `test/build/longest-first.test.ts` says so.
 */
export const LONG_RUNNING = [
  'test/api/contract/every-route.test.ts',
  'test/docker/engine-kinds.test.ts',
  'test/crash/kill.test.ts',
  'test/api/agent-server/conformance.test.ts',
  'test/api/engine/killed.test.ts',
  'test/chaos/chaos.test.ts',
  'test/api/security/hostile-programs.test.ts',
  'test/docker/connection.test.ts',
  'test/sandbox/prepared/pool.test.ts',
  'test/tools/terminal/terminal.test.ts',
  'test/api/conversation/folder-branch.test.ts',
  'test/sandbox/pause/idle-pausing.test.ts',
  'test/api/security/request-gate.test.ts',
  'test/sandbox/services/services.test.ts',
  'test/api/engine/many-starts.test.ts',
  'test/fuzz/fuzz.test.ts',
]

/** The order of vitest, but what has a process of its own comes first, and then what lasts longest. */
export class LongestFirst extends BaseSequencer {
  /**
   * @override
   * @param {import('vitest/node').TestSpecification[]} files
   */
  async sort(files) {
    const sorted = await super.sort(files)
    return sorted.sort(
      (a, b) => kindOf(a) - kindOf(b) || Number(isShared(a)) - Number(isShared(b)) || rank(a) - rank(b),
    )
  }
}

/** @param {import('vitest/node').TestSpecification} file */
function kindOf({ project }) {
  return project.config.sequence.groupOrder
}

/** @param {import('vitest/node').TestSpecification} file */
function isShared({ project }) {
  return !project.config.isolate
}

/** @param {import('vitest/node').TestSpecification} file */
function rank({ moduleId }) {
  const index = LONG_RUNNING.findIndex(file => join(projectFolder, file) === moduleId)
  return index === -1 ? LONG_RUNNING.length : index
}
