import { createInterface } from 'node:readline'
import type { SandboxHandle } from '../../server/domain/sandbox-handle.ts'
import { takeTree } from '../../server/git/checkpoint/trees.ts'
import { startTestSandbox } from '../parts/engine/sandbox.ts'
import { compare, interleave, type Row, timed } from './process/measure.ts'

const FILES = 5_000
const MAKE = `for i in $(seq 1 ${FILES}); do echo "$((i % 50))/file-$i"; done | while read -r name; do
  mkdir -p "\${name%/*}"; echo "This is $name." >"$name"; done; git init -q; git add .;
git -c user.name=a -c user.email=a@example.com commit -qm First`

/** What a checkpoint takes after a step that changed one file, beside git's own tree of the same files from a shell that stays open. */
export default async function measure(): Promise<Row[]> {
  const sandbox = await startTestSandbox()
  const signal = AbortSignal.timeout(240_000)
  try {
    const { handle } = sandbox
    const made = await handle.exec({ argv: ['/bin/sh', '-ec', MAKE], signal })
    if (made.exitCode !== 0) throw new Error(made.stderr)
    const bare = await openShell(handle, signal)
    let step = 0
    const change = () => bare(`echo ${++step} >>1/file-1; echo`)
    const samples = await interleave(
      {
        atelier: async () => {
          await change()
          return timed(async () => {
            const { kind } = await takeTree(handle, { conversation: 'measured' }, signal)
            if (kind !== 'tree') throw new Error('Nothing was kept.')
          })
        },
        bare: async () => {
          await change()
          return timed(() => bare('git add -A; git write-tree'))
        },
      },
      { warmUps: 3, runs: 30 },
    )
    const aim = { kind: 'value', atMost: 50 } as const
    return [compare(`Checkpoint of ${FILES} files of which one changed`, samples, { aim })]
  } finally {
    await sandbox.close()
  }
}

/** @returns what runs a command that prints one line */
async function openShell(handle: SandboxHandle, signal: AbortSignal): Promise<(command: string) => Promise<string>> {
  const shell = await handle.openPiped({ argv: ['/bin/sh'], cwd: handle.workingDir, signal })
  shell.stderr.resume()
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  return async command => {
    await shell.write(`${command}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('The shell has ended.')
    return value
  }
}
