import { createWriteStream } from 'node:fs'
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  applyToFolder,
  type FolderFile,
  previewFolderApply,
  undoFolderApply,
} from '../../api/v1/conversation/folder/apply.ts'
import { createFolderBranch } from '../../api/v1/conversation/folder/branch.ts'
import type { Atelier } from '../../client/atelier.ts'
import type { Conversation } from '../../client/conversation.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import { applyPatch } from '../folder/apply-patch.ts'
import { plainLine } from '../output/plain-text.ts'
import type { Session } from '../session.ts'
import { findConversation } from './conversations.ts'

export const CONFLICT_CHOICES = ['refuse', 'keep-mine', 'take-theirs'] as const

export interface ApplyOptions {
  folder?: string
  check?: boolean
  /** `true` for a name of the conversation's title. */
  branch?: string | true
  undo?: boolean
  conflicts: (typeof CONFLICT_CHOICES)[number]
}

interface Own {
  session: Session
  atelier: Atelier
  params: { conversation_id: string }
  folder: string
}

/** Into the folder that the conversation began with, where the service knows what was copied; else as a patch. */
export async function apply(session: Session, id: string, options: ApplyOptions): Promise<ExitCode> {
  const { atelier, conversation } = await findConversation(session, id)
  const { source_folder: own } = await conversation.info(session.signal)
  if (own === null || (options.folder !== undefined && !(await isSame(options.folder, own)))) {
    refuseForPatches(options, own)
    return patchFolder(session, conversation, { folder: options.folder ?? '.', check: options.check ?? false })
  }
  const given = { session, atelier, params: { conversation_id: conversation.id }, folder: own }
  if (options.undo) return undo(given)
  if (options.branch !== undefined) return makeBranch(given, options.branch)
  return applyToOwn(given, options)
}

async function applyToOwn({ session, atelier, params, folder }: Own, options: ApplyOptions): Promise<ExitCode> {
  const { terminal, signal } = session
  const { files } = await atelier.call(previewFolderApply, { params, signal })
  const of = (state: FolderFile['state']) => files.filter(file => file.state === state)
  const conflicts = of('conflict')
  const choice = options.conflicts === 'keep-mine' ? ('keep_mine' as const) : ('take_theirs' as const)
  if (conflicts.length > 0 && options.conflicts === 'refuse') throw doNotFit(folder, conflicts)
  const shown = options.conflicts === 'keep-mine' ? of('fits') : [...of('fits'), ...conflicts]
  for (const file of shown) {
    if (terminal.isJson) terminal.json({ path: file.path, added: file.added, removed: file.removed })
    else terminal.print(`${plainLine(file.path)}  ${lines(file)}`)
  }
  if (!options.check && shown.length > 0) {
    await atelier.call(applyToFolder, {
      params,
      body: { choices: conflicts.map(({ path }) => ({ path, choice })) },
      signal,
    })
  }
  for (const { path, reason } of of('refused')) terminal.say(`Left out: ${plainLine(path)}. ${reason}`, 'dim')
  terminal.say(summary(shown.length, folder, options.check ?? false), 'dim')
  if (!options.check && shown.length > 0) terminal.say('`--undo` takes it back.', 'dim')
  return EXIT.done
}

async function makeBranch({ session, atelier, params, folder }: Own, name: string | true): Promise<ExitCode> {
  const { terminal, signal } = session
  const body = { name: name === true ? null : name }
  const made = await atelier.call(createFolderBranch, { params, body, signal })
  if (terminal.isJson) terminal.json(made)
  else terminal.print(made.branch)
  for (const path of made.refused) terminal.say(`Left out: ${plainLine(path)}.`, 'dim')
  terminal.say(`${countOf(made.files.length)} changed on the branch ${made.branch} of ${folder}.`, 'dim')
  return EXIT.done
}

async function undo({ session, atelier, params, folder }: Own): Promise<ExitCode> {
  const { terminal, signal } = session
  const { restored } = await atelier.call(undoFolderApply, { params, signal })
  for (const path of restored) {
    if (terminal.isJson) terminal.json({ path })
    else terminal.print(plainLine(path))
  }
  terminal.say(`${countOf(restored.length)} restored in ${folder}.`, 'dim')
  return EXIT.done
}

async function patchFolder(
  { terminal, signal }: Session,
  conversation: Conversation,
  { folder, check }: { folder: string; check: boolean },
): Promise<ExitCode> {
  const home = await mkdtemp(join(tmpdir(), 'atelier-apply-'))
  try {
    const patch = join(home, 'changes.patch')
    const content = Readable.fromWeb((await conversation.patch(signal)) as never)
    await pipeline(content, createWriteStream(patch, { mode: 0o600 }), { signal })
    const files = (await stat(patch)).size === 0 ? [] : await applyPatch(folder, patch, { check })
    for (const file of files) {
      if (terminal.isJson) terminal.json(file)
      else terminal.print(`${file.path}  ${lines(file)}`)
    }
    terminal.say(summary(files.length, folder, check), 'dim')
    return EXIT.done
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

function refuseForPatches({ branch, undo, conflicts }: ApplyOptions, own: string | null): void {
  const [option] = [
    ...(branch === undefined ? [] : ['--branch']),
    ...(undo ? ['--undo'] : []),
    ...(conflicts === 'refuse' ? [] : ['--conflicts']),
  ]
  if (option === undefined) return
  const why = own === null ? 'this conversation began with none' : `this conversation began with ${own}`
  throw new CommandError(EXIT.usage, `${option} is for the folder that a conversation began with; ${why}.`)
}

function doNotFit(folder: string, conflicts: readonly FolderFile[]): CommandError {
  const named = conflicts.map(({ path, reason }) => `${plainLine(path)}: ${reason}`).join('\n')
  const next = 'Choose with --conflicts keep-mine or take-theirs, or put them on a branch with --branch.'
  return new CommandError(EXIT.conflict, `The changes do not fit ${folder}; nothing was changed.\n${named}\n${next}`)
}

async function isSame(given: string, own: string): Promise<boolean> {
  return (await realpath(resolve(given)).catch(() => resolve(given))) === own
}

function lines({ added, removed }: { added: number | null; removed: number | null }): string {
  return added === null ? 'binary' : `+${added} -${removed}`
}

function summary(count: number, folder: string, check: boolean): string {
  if (count === 0) return 'There is nothing to apply.'
  return check
    ? `The changes of ${countOf(count)} fit ${resolve(folder)}.`
    : `${countOf(count)} changed in ${resolve(folder)}.`
}

function countOf(files: number): string {
  return files === 1 ? '1 file' : `${files} files`
}
