import { isRunning, readDiscoveryFile } from '../../discovery-file.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import { dataDirOfSession, type Session } from '../session.ts'

const STOP_TIMEOUT_MS = 30_000

/** The service without a window, in this process, until it is told to end. */
export async function serve(session: Session): Promise<ExitCode> {
  process.env.ATELIER_DATA_DIR = dataDirOfSession(session)
  await session.host.serve()
  // A signal ends the process once the service is closed.
  return new Promise(() => {})
}

/** Tells the running service to end, and waits until its process has ended: the data folder is nobody's then. */
export async function stopService(session: Session): Promise<ExitCode> {
  const dataDir = dataDirOfSession(session)
  const found = readDiscoveryFile(dataDir)
  if (!found) throw new CommandError(EXIT.noService, `Atelier does not run (data folder ${dataDir}).`)
  process.kill(found.pid, 'SIGTERM')
  for (const deadline = Date.now() + STOP_TIMEOUT_MS; Date.now() < deadline; ) {
    session.signal.throwIfAborted()
    if (!isRunning(found.pid)) {
      session.terminal.say('The service has ended.', 'dim')
      return EXIT.done
    }
    await new Promise(done => setTimeout(done, 50))
  }
  throw new CommandError(EXIT.failed, `The service (process ${found.pid}) does not end.`)
}
