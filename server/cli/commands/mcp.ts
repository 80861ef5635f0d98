import { EXIT, type ExitCode } from '../exit-codes.ts'
import { openAtelier, type Session } from '../session.ts'

/** stdout belongs to the protocol. */
export async function serveMcp(session: Session): Promise<ExitCode> {
  const atelier = await openAtelier(session)
  const { serveTasksOverStdio } = await import('../../mcp/tasks/task-server.ts')
  await serveTasksOverStdio(session.host.version, atelier, session.signal)
  return EXIT.done
}
