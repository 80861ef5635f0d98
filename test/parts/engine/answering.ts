import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { ping } from '../../../build/engine/ping.mjs'

const START_MS = 60_000
const PING_MS = 5000
const LOOK_MS = 50

/**
 * Resolves when an engine answers.
 * @param host in the form of DOCKER_HOST
 * @param said what its process has printed so far
 */
export async function untilAnswering(host: string, process: ChildProcess, said: () => string): Promise<void> {
  const deadline = Date.now() + START_MS
  while (!(await ping(host, PING_MS))) {
    if (process.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The engine at ${host} did not start:\n${said().slice(-3000)}`)
    }
    await delay(LOOK_MS)
  }
}

/** What a process prints to its stderr, the end of it. */
export function endOfErrors({ stderr }: ChildProcess): () => string {
  let said = ''
  stderr?.on('data', chunk => {
    said = `${said}${chunk}`.slice(-3000)
  })
  return () => said
}
