import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { forgetDeadEngine } from '../../build/engine/own.mjs'
import { runsProgram } from '../../build/machine/process.mjs'

test('the process id that a killed engine left does not keep the next one from starting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'exec', 'containerd'), { recursive: true })
  const files = [join(folder, 'docker.pid'), join(folder, 'exec', 'containerd', 'containerd.pid')]
  // The id is that of a running process, but of another program.
  for (const file of files) writeFileSync(file, String(process.pid))
  forgetDeadEngine(folder)
  expect(files.filter(file => existsSync(file))).toEqual([])
})

test('a process is known by its program until it ends', async () => {
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill())
  await expect.poll(() => runsProgram(child.pid ?? 0, 'sleep')).toBe(true)
  expect(runsProgram(child.pid ?? 0, 'dockerd')).toBe(false)
  child.kill()
  await expect.poll(() => runsProgram(child.pid ?? 0, 'sleep')).toBe(false)
})
