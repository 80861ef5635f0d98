import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../domain/errors.ts'
import { forkKeychainProcess } from '../secret/keychain/child-port.ts'
import { runCommandLine } from './command-line.ts'

/** `atelier` as a program of Node.js. */
const out = join(import.meta.dirname, '..')
const manifest: { version?: string } = JSON.parse(readFileSync(join(out, '..', 'package.json'), 'utf8'))
const version = manifest.version ?? '0.0.0'
const startKeychainProcess = () => forkKeychainProcess(join(out, 'server', 'keychain-process.js'))

runCommandLine(process.argv.slice(2), {
  version,
  startKeychainProcess,
  // Only this command needs the whole service.
  serve: async () => (await import('../headless.ts')).serveHeadless({ out, version, startKeychainProcess }),
  openMachineDoctor: async dataDir =>
    (await import('../diagnose.ts')).openMachineDoctor({
      dataDir,
      resourcesDir: process.env.ATELIER_RESOURCES_DIR ?? join(out, 'resources'),
      startKeychainProcess,
      env: process.env,
    }),
  self: { program: process.execPath, args: [import.meta.filename] },
})
  .then(exitCode => {
    process.exitCode = exitCode
  })
  .catch(error => {
    process.stderr.write(`atelier: ${messageOf(error)}\n`)
    process.exitCode = 1
  })
