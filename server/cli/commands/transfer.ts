import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type DataLeftOut,
  type DataProgress,
  deleteDataExport,
  downloadDataExport,
  getDataExport,
  newPassphrase,
  startDataExport,
} from '../../api/v1/transfer/exports.ts'
import {
  type DataImport,
  type DataImportResult,
  dataImport,
  deleteDataImport,
  getDataImport,
  lookIntoOpenHands,
  startDataImport,
  uploadDataImport,
} from '../../api/v1/transfer/imports.ts'
import type { Atelier } from '../../client/atelier.ts'
import { messageOf } from '../../domain/errors.ts'
import { CommandError, EXIT, type ExitCode } from '../exit-codes.ts'
import type { Terminal } from '../output/terminal.ts'
import { openAtelier, type Session } from '../session.ts'

const ASK_AGAIN_MS = 300

/** Writes everything to a file, which is there whole or not at all. */
export async function exportData(
  session: Session,
  file: string,
  {
    secrets = false,
    workingFolders = false,
    force = false,
  }: { secrets?: boolean; workingFolders?: boolean; force?: boolean },
): Promise<ExitCode> {
  const { terminal, signal } = session
  const target = resolve(file)
  if (!force && (await isThere(target))) {
    throw new CommandError(EXIT.usage, `${target} is there already. Choose another name, or give --force.`)
  }
  const passphrase = secrets ? await passphraseFrom(terminal) : null
  const atelier = await openAtelier(session)
  const { export_id } = await atelier.call(startDataExport, {
    body: { passphrase, working_folders: workingFolders },
    signal,
  })
  const params = { export_id }
  try {
    const written = await until(signal, async () => {
      const now = await atelier.call(getDataExport, { params, signal })
      if (now.state === 'failed') throw new CommandError(EXIT.failed, now.problem ?? 'The export failed.')
      if (now.state === 'writing') show(terminal, 'Writing', now.progress)
      return now.state === 'ready' ? now : undefined
    })
    await download(atelier, { export_id, target, signal })
    const { bytes, progress, left_out } = written
    if (terminal.isJson) terminal.json({ type: 'export', file: target, bytes, ...progress, left_out })
    else terminal.print(target)
    terminal.say(`${counted(progress.conversations, 'conversation')} and ${counted(progress.events, 'event')}.`, 'dim')
    terminal.say(workingFolders ? NOT_INCLUDED_WITH_FOLDERS : NOT_INCLUDED, 'dim')
    for (const line of linesOf(left_out)) terminal.say(line, 'yellow')
    return EXIT.done
  } finally {
    await atelier.call(deleteDataExport, { params }).catch(() => {})
  }
}

const NOT_INCLUDED = 'Files in sandboxes, checkpoints and trust in repositories stay on this computer.'

const NOT_INCLUDED_WITH_FOLDERS =
  'Files in sandboxes beside the working folders, checkpoints and trust in repositories stay on this computer.'

function linesOf(leftOut: DataLeftOut): string[] {
  const { specs, variables, sign_ins, damaged_conversations: damaged, working_folders: folders } = leftOut
  return [
    ...folders.map(folder => `Left out: the working folder of ${folder}`),
    ...specs.map(title => `Left out: sandbox spec "${title}", whose image exists only on this computer.`),
    ...variables.map(name => `Left out: variable ${name} of a sandbox spec, whose value may be secret.`),
    ...sign_ins.map(provider => `Left out: the sign-in to ${provider}. Sign in again on the other computer.`),
    ...(damaged > 0 ? [`Left out: ${counted(damaged, 'conversation')} that cannot be read.`] : []),
  ]
}

/** Shows what a file, or a folder of OpenHands, holds, then adds it. */
export async function importData(
  session: Session,
  file: string,
  {
    check = false,
    settings = false,
    secrets = false,
    yes = false,
  }: { check?: boolean; settings?: boolean; secrets?: boolean; yes?: boolean },
): Promise<ExitCode> {
  const { terminal, signal } = session
  const isFolder = await stat(file).then(
    about => about.isDirectory(),
    () => false,
  )
  const passphrase = secrets && !isFolder ? await passphraseFrom(terminal, false) : null
  const content = isFolder ? null : await openFile(file)
  const atelier = await openAtelier(session)
  const { import_id } = content
    ? await upload(atelier, { content, name: basename(file), signal })
    : await atelier.call(lookIntoOpenHands, { body: { folder: resolve(file) }, signal })
  const params = { import_id }
  let result: DataImportResult | null = null
  try {
    const found = await ended(session, atelier, import_id, 'Checking')
    describe(terminal, found)
    if (check) return EXIT.done
    await terminal.confirm('Add this?', { isYes: yes, signal })
    await atelier.call(startDataImport, {
      params,
      body: { settings, secrets: secrets && isFolder, passphrase },
      signal,
    })
    try {
      await ended(session, atelier, import_id, 'Adding')
    } finally {
      // One that failed or is interrupted has added something too. It is stopped first, and forgotten after that.
      if (signal.aborted) await atelier.call(deleteDataImport, { params }).catch(() => {})
      const last = await atelier.call(getDataImport, { params }).catch(() => null)
      result = last?.result ?? null
      if (result) report(terminal, result)
    }
    return result && result.problems.length > 0 ? EXIT.failed : EXIT.done
  } finally {
    await atelier.call(deleteDataImport, { params }).catch(() => {})
  }
}

/** A large file takes its time: what ends it is the signal. */
async function upload(
  atelier: Atelier,
  { content, name, signal }: { content: Blob; name: string; signal: AbortSignal },
): Promise<DataImport> {
  const form = new FormData()
  form.set('file', content, name)
  const answer = await atelier.client.open(uploadDataImport, { form, signal })
  return dataImport.parse(await answer.json())
}

async function ended(session: Session, atelier: Atelier, import_id: string, word: string): Promise<DataImport> {
  const { terminal, signal } = session
  return until(signal, async () => {
    const now = await atelier.call(getDataImport, { params: { import_id }, signal })
    if (now.state === 'failed') throw new CommandError(EXIT.failed, now.problem ?? 'The import failed.')
    if (now.state === 'stopped') throw new CommandError(EXIT.failed, 'Somebody else has stopped the import.')
    if (now.state === 'checked' || now.state === 'imported') return now
    show(terminal, word, now.progress)
    return undefined
  })
}

function describe(terminal: Terminal, { contents, source, file_name }: DataImport): void {
  if (!contents) return
  if (terminal.isJson) return terminal.json({ type: 'contents', ...contents })
  const { counts, present } = contents
  const written = contents.exported_at ? `, written by Atelier ${contents.app_version} on ${contents.exported_at}` : ''
  terminal.print(`${file_name}${written}`)
  terminal.print(`  ${counted(counts.conversations, 'conversation')}, ${present.conversations} of them here already`)
  terminal.print(`  ${counted(counts.events, 'event')}, ${contents.unreadable_events} of them unreadable`)
  terminal.print(`  ${counted(counts.models, 'saved model')}, ${present.models} of them here already`)
  terminal.print(`  ${counted(counts.specs, 'sandbox spec')}, ${present.specs} of them here already`)
  terminal.print(`  ${counted(counts.secrets, 'secret')}, ${present.secrets} of them here already`)
  const where = source === 'file' ? 'yes, under a passphrase (--secrets)' : 'yes, in clear (--secrets)'
  terminal.print(`  ${counted(contents.working_folders, 'working folder')}`)
  terminal.print(`  values of secrets: ${contents.has_secret_values ? where : 'no'}`)
  for (const problem of contents.problems) terminal.say(problem, 'yellow')
}

function report(terminal: Terminal, result: DataImportResult): void {
  if (terminal.isJson) return terminal.json({ type: 'import', ...result })
  const { added, kept } = result
  terminal.print(`Added ${counted(added.conversations, 'conversation')} with ${counted(added.events, 'event')}.`)
  terminal.print(
    `Added ${counted(added.models, 'saved model')}, ${counted(added.specs, 'sandbox spec')}, ${counted(added.secrets, 'secret')} and ${counted(result.settings, 'setting')}.`,
  )
  if (result.working_folders > 0) terminal.print(`Added ${counted(result.working_folders, 'working folder')}.`)
  if (kept.conversations > 0) terminal.print(`Kept ${counted(kept.conversations, 'conversation')} that were here.`)
  for (const provider of result.provider_tokens) terminal.print(`Added the token of ${provider}.`)
  for (const name of result.settings_kept) terminal.say(`Not taken over: ${name}.`, 'yellow')
  for (const name of result.secrets_without_value) terminal.say(`Has no value yet: secret ${name}.`, 'yellow')
  for (const problem of result.problems) terminal.say(problem, 'red')
  if (result.backup) terminal.say(`Restore the backup ${result.backup} to undo this.`, 'dim')
}

/** From stdin, which no other program sees; a person is asked, and twice for a new one. @throws CommandError usage */
async function passphraseFrom(terminal: Terminal, isNew = true): Promise<string> {
  const given = terminal.isInteractive ? await terminal.askHidden('Passphrase: ') : await terminal.input()
  if (!isNew) return given
  const { error } = newPassphrase.safeParse(given)
  if (error) throw new CommandError(EXIT.usage, error.issues[0]?.message ?? 'Choose another passphrase.')
  if (terminal.isInteractive && (await terminal.askHidden('Passphrase again: ')) !== given) {
    throw new CommandError(EXIT.usage, 'The two passphrases differ. Nothing was exported. Run the command again.')
  }
  return given
}

async function openFile(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file)
  } catch (cause) {
    throw new CommandError(EXIT.usage, `${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}

async function download(
  atelier: Atelier,
  { export_id, target, signal }: { export_id: string; target: string; signal: AbortSignal },
): Promise<void> {
  // Whatever else lies beside it is somebody's.
  const partial = `${target}.${randomUUID()}.partial`
  const { body } = await atelier.client.open(downloadDataExport, { params: { export_id }, signal })
  if (!body) throw new CommandError(EXIT.failed, 'The service has sent no file.')
  try {
    await pipeline(
      Readable.fromWeb(body as never),
      createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }),
      {
        signal,
      },
    )
    await rename(partial, target)
  } catch (error) {
    await rm(partial, { force: true })
    signal.throwIfAborted()
    throw new CommandError(EXIT.failed, `${target} could not be written: ${messageOf(error)}`, { cause: error })
  }
}

async function until<T>(signal: AbortSignal, read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise(done => setTimeout(done, ASK_AGAIN_MS))
    signal.throwIfAborted()
  }
}

/** Only for a person: a line for each look would fill a log. */
function show(terminal: Terminal, word: string, progress: DataProgress): void {
  const { events, events_total, folders, folders_total } = progress
  if (!terminal.isInteractive || terminal.isJson) return
  if (word === 'Writing' && folders < folders_total && events === 0) {
    terminal.say(
      `Reading working folders: ${folders.toLocaleString('en-US')} of ${counted(folders_total, 'folder')}`,
      'dim',
    )
  } else if (events_total > 0) {
    terminal.say(`${word}: ${events.toLocaleString('en-US')} of ${counted(events_total, 'event')}`, 'dim')
  }
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
