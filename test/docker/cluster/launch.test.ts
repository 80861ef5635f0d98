import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { launchCommand, launchHeader } from '../../../server/kubernetes/exec/launch.ts'

const MARK = 'thisIsTheMark'

it.runIf(process.platform === 'linux')('hides from a command what ends its errors', async () => {
  const look = 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"; echo "m=$m"; exit 3'
  const [program = '', ...args] = launchCommand('framed', MARK)
  const shell = spawn(program, args, { env: { ...process.env, m: 'exported' } })
  const outputs = Promise.all([text(shell.stdout), text(shell.stderr)])
  shell.stdin.write(launchHeader({ mode: 'framed', mark: MARK, argv: ['/bin/sh', '-c', look] }))
  shell.stdin.end('0\nend\n')
  const [stdout, stderr] = await outputs
  expect(stderr).toBe(`${MARK}3.`)
  expect(stdout).toContain('IFS= read -r m')
  expect(stdout).toContain('\nm=\n')
  expect(stdout).not.toContain(MARK)
})
