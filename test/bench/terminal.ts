import type Docker from 'dockerode'
import { createTerminal } from '../../server/tools/terminal.ts'
import { startTestSandbox } from '../parts/engine/sandbox.ts'
import { outsideDocker } from '../sandbox/parts.ts'
import { compare, interleave, type Row, timed } from './process/measure.ts'

const COMMANDS = [
  { name: 'builtin', command: 'echo done', runs: 400 },
  { name: 'program', command: 'ls -l /', runs: 300 },
  { name: '2,000 lines', command: 'seq 1 2000', runs: 60 },
]

/** The agent's terminal against the same command in a bare shell that stays open, both in the same sandbox. */
export default async function measure(): Promise<Row[]> {
  const sandbox = await startTestSandbox()
  const terminal = createTerminal({ sandbox: async () => sandbox.handle, mask: text => text })
  const bare = await openBareShell(outsideDocker(), sandbox.handle.id)
  const signal = AbortSignal.timeout(240_000)
  const rows: Row[] = []
  for (const { name, command, runs } of COMMANDS) {
    const atelier = () =>
      timed(async () => {
        const told = await terminal.run(terminal.toAction({ command }), { signal, onOutput: () => {} })
        if (told.kind !== 'TerminalObservation' || told.exit_code !== 0) throw new Error(`${command} failed.`)
      })
    const samples = await interleave({ atelier, bare: () => timed(() => bare.run(command)) }, { warmUps: 20, runs })
    const aim = { kind: 'added', atMost: 5 } as const
    rows.push(compare(`Terminal command, ${name}`, samples, { aim }))
    rows.push(compare(`Terminal command, ${name}, p95`, samples, { aim, share: 0.95 }))
  }
  bare.close()
  await terminal.close()
  await sandbox.close()
  return rows
}

/** A shell without a terminal; a marker after the command tells its end and exit code. */
async function openBareShell(docker: Docker, container: string) {
  const exec = await docker.getContainer(container).exec({
    Cmd: ['bash', '--norc'],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    WorkingDir: '/workspace/project',
  })
  const stream = await exec.start({ hijack: true, stdin: true })
  let output = ''
  let ended = () => {}
  stream.on('data', chunk => {
    output = (output + String(chunk)).slice(-2000)
    if (output.includes('END-0-')) ended()
  })
  const run = (command: string) =>
    new Promise<void>(resolve => {
      output = ''
      ended = resolve
      stream.write(`${command}; echo "END-$?-"\n`)
    })
  return { run, close: () => stream.destroy() }
}
