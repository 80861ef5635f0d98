import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { table } from '../../build/bench/table.mjs'
import { capture, run } from '../../build/machine/command.mjs'
import { projectFolder } from '../../build/machine/paths.mjs'

test('a failed program shows the end of what it printed', async () => {
  const failing = run(process.execPath, ['-e', 'console.error("the reason"); process.exit(3)'], { quiet: true })
  await expect(failing).rejects.toThrow(/failed \(3\)\.\nthe reason/)
})

test('a program that does not exist fails like any other', async () => {
  expect((await capture('/nowhere/program', [], { quiet: true })).code).toBe(127)
})

test('a program that runs past its time limit is stopped and says so', async () => {
  const result = await capture(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { quiet: true, timeout: 300 })
  expect(result.code).not.toBe(0)
  expect(result.output).toContain('time limit 0.3 s')
})

test('a program run in our place gets our signals and gives us its exit code', async () => {
  const child = 'process.on("SIGTERM", () => process.exit(7)); console.log("ready"); setInterval(() => {}, 1000)'
  const foreground = join(projectFolder, 'build', 'machine', 'foreground.mjs')
  const parent = `import { runInPlace } from ${JSON.stringify(foreground)}
    process.exit(await runInPlace(process.execPath, ['-e', ${JSON.stringify(child)}]))`
  const program = spawn(process.execPath, ['--input-type=module', '-e', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(program.stdout, 'data')
  program.kill('SIGTERM')
  expect((await once(program, 'exit'))[0]).toBe(7)
})

test('benchmark rows line up, each key in a column', () => {
  expect(
    table([
      { name: 'start', ratio: 1.2345 },
      { name: 'a', aim: 2 },
    ]),
  ).toBe(['name   ratio  aim', 'start  1.23', 'a             2'].join('\n'))
})
