import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { applyPatch } from '../folder/apply-patch.ts'
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

export async function apply(
  session: Session,
  id: string,
  { folder, check = false }: { folder: string; check?: boolean },
): Promise<ExitCode> {
  const { terminal, signal } = session
  const { conversation } = await findConversation(session, id)
  const home = await mkdtemp(join(tmpdir(), 'atelier-apply-'))
  try {
    const patch = join(home, 'changes.patch')
    const content = Readable.fromWeb((await conversation.patch(signal)) as never)
    await pipeline(content, createWriteStream(patch, { mode: 0o600 }), { signal })
    const files = (await stat(patch)).size === 0 ? [] : await applyPatch(folder, patch, { check })
    for (const file of files) {
      if (terminal.isJson) terminal.json(file)
      else terminal.print(`${file.path}  ${file.added === null ? 'binary' : `+${file.added} -${file.removed}`}`)
    }
    terminal.say(summary(files.length, folder, check), 'dim')
    return EXIT.done
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function summary(count: number, folder: string, check: boolean): string {
  if (count === 0) return 'The conversation has changed nothing.'
  const files = count === 1 ? '1 file' : `${count} files`
  return check ? `The changes of ${files} fit ${resolve(folder)}.` : `${files} changed in ${resolve(folder)}.`
}

function styleOf(line: string): Style | undefined {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return 'bold'
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : undefined
}
