import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { isRunning } from '../server/discovery-file.ts'

test('a process runs until it has ended, also where nobody asks how it ended', async () => {
  // The shell becomes a program that never waits for the child that it had.
  const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(parent.stdout, 'data')
    const child = Number(String(line))
    while (isRunning(child)) await new Promise(done => setTimeout(done, 10))
    expect(isRunning(process.pid)).toBe(true)
    expect(isRunning(parent.pid ?? 0)).toBe(true)
  } finally {
    parent.kill('SIGKILL')
    await once(parent, 'exit')
  }
  expect(isRunning(parent.pid ?? 0)).toBe(false)
})
