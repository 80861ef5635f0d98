import type { SandboxInfo } from '../../api/v1/sandbox/sandboxes.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { plainLine } from '../output/plain-text.ts'
import { openAtelier, type Session } from '../session.ts'

export async function listSandboxes(session: Session): Promise<ExitCode> {
  const { terminal, signal } = session
  const atelier = await openAtelier(session)
  for await (const sandbox of atelier.sandboxes({ signal })) {
    if (terminal.isJson) terminal.json(withoutKey(sandbox))
    else {
      const { id, status, sandbox_spec_id, status_detail } = sandbox
      terminal.print(
        `${id}  ${status.padEnd(8)}  ${sandbox_spec_id}${status_detail ? `  ${plainLine(status_detail)}` : ''}`,
      )
    }
  }
  return EXIT.done
}

export async function startSandbox(session: Session, { spec }: { spec?: string }): Promise<ExitCode> {
  const { terminal, signal } = session
  const sandbox = await (await openAtelier(session)).startSandbox({ sandbox_spec_id: spec }, { signal })
  if (terminal.isJson) terminal.json(withoutKey(await sandbox.info(signal)))
  else terminal.print(sandbox.id)
  return EXIT.done
}

export async function changeSandbox(
  session: Session,
  id: string,
  act: 'pause' | 'resume' | 'delete',
): Promise<ExitCode> {
  await (await openAtelier(session)).sandbox(id)[act]()
  return EXIT.done
}

/** The exit status is the command's own; -1 after the time-out becomes 1. */
export async function execInSandbox(
  session: Session,
  id: string,
  words: readonly string[],
  { timeout, cwd }: { timeout?: number; cwd?: string },
): Promise<ExitCode> {
  const { terminal, signal } = session
  const sandbox = (await openAtelier(session)).sandbox(id)
  // One word is a line for the shell, as with ssh; several are a program and its arguments.
  const [line = ''] = words
  const command = words.length === 1 ? line : words.map(shellQuote).join(' ')
  const { exitCode, stdout, stderr, isCut } = await sandbox.run(command, { signal, timeout, cwd })
  if (terminal.isJson) terminal.json({ exit_code: exitCode, stdout, stderr, is_cut: isCut })
  else {
    if (isCut) terminal.say('The beginning of the output was too long to be kept.', 'yellow')
    if (stdout) terminal.print(stdout.replace(/\n$/, ''))
    if (stderr) terminal.say(stderr.replace(/\n$/, ''))
  }
  return (exitCode < 0 ? EXIT.failed : exitCode) as ExitCode
}

function withoutKey({ session_api_key: _, ...rest }: SandboxInfo) {
  return rest
}
