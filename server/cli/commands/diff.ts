import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Style } from '../output/terminal.ts'
import type { Session } from '../session.ts'
import { findConversation } from './conversations.ts'

/** Into a pipe or a file the patch goes as it is, for `git apply`; a terminal gets it as plain text. */
export async function diff(session: Session, id: string): Promise<ExitCode> {
  const { terminal, signal } = session
  const { conversation } = await findConversation(session, id)
  if (terminal.isJson) {
    for (const change of await conversation.changes(signal)) terminal.json(change)
    return EXIT.done
  }
  const patch = Readable.fromWeb((await conversation.patch(signal)) as never)
  if (!process.stdout.isTTY) {
    await pipeline(patch, process.stdout, { end: false })
    return EXIT.done
  }
  let rest = ''
  for await (const chunk of patch.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) terminal.print(line, styleOf(line))
  }
  if (rest) terminal.print(rest)
  return EXIT.done
}

function styleOf(line: string): Style | undefined {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return 'bold'
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : undefined
}
