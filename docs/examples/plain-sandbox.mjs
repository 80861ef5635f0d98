import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'atelier/client'

const atelier = await connect()
const sandbox = await atelier.startSandbox()
try {
  await sandbox.writeFile('/workspace/project/numbers.txt', '3\n1\n2\n')
  const { exitCode, stdout } = await sandbox.run('sort numbers.txt')
  console.log(exitCode, stdout.trim().split('\n').join(' '))

  // Large files are streamed, in both directions.
  await sandbox.writeFile('/workspace/project/copy.mjs', await openAsBlob(import.meta.filename))
  const [, , target] = process.argv
  if (target) await writeFile(target, await sandbox.download('/workspace/project/copy.mjs'))
} finally {
  await sandbox.delete()
}
