import { readDiscoveryFile } from '../../discovery-file.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import { allow, disallow } from '../permission.ts'
import { dataDirOfSession, openAtelier, readKeychain, type Session } from '../session.ts'

/** Lets this command read the key of the API from the keychain from now on. */
export async function login(session: Session, { yes }: { yes?: boolean }): Promise<ExitCode> {
  const { terminal, signal } = session
  const dataDir = dataDirOfSession(session)
  if (!yes) {
    if (!terminal.isInteractive) {
      throw new CommandError(
        EXIT.usage,
        'Nobody can be asked here. Allow it with `atelier login --yes`, or use SESSION_API_KEY.',
      )
    }
    terminal.say(
      'With the key of the app `atelier` can do everything that its window can, and so can programs that you let run it.',
    )
    await terminal.confirm('May `atelier` read the key from the keychain?', { isYes: false, signal })
  }
  await readKeychain(session)
  allow(dataDir)
  if (readDiscoveryFile(dataDir)) await openAtelier(session)
  terminal.say('`atelier` may read the key from the keychain. `atelier logout` takes this back.')
  return EXIT.done
}

export function logout(session: Session): ExitCode {
  disallow(dataDirOfSession(session))
  session.terminal.say('`atelier` does not read the keychain any more.')
  return EXIT.done
}
