import { rm } from 'node:fs/promises'
import type { z } from 'zod'
import type { KeyField } from '../../api/v1/settings/key-fields.ts'
import type { DataProgress } from '../../api/v1/transfer/exports.ts'
import type { DataContents, DataImportResult } from '../../api/v1/transfer/imports.ts'
import { leavesRoom, readDisk } from '../../disk/space.ts'
import { AppError } from '../../domain/errors.ts'
import { type ConversationId, parseConversationId } from '../../domain/ids.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { Vault } from '../../secret/vault/vault.ts'
import type { Backups } from '../../store/backup/backups.ts'
import { DOCUMENTS, type SecretValues, secretValues } from '../documents.ts'
import { damagedFile, NOTHING_LEFT_OUT, PARTS, type PartName, parseJson } from '../format.ts'
import { unseal } from '../sealed.ts'
import { type AddDependencies, addModels, addSecrets, addSpecs, attempt } from './add.ts'
import type { AddedConversations } from './conversations.ts'
import type { ConversationPiece, FoundContents, ImportSource } from './messages.ts'
import { addToolServers, changedSettings, takeSettings } from './settings.ts'
import { runImportThread } from './thread.ts'

export interface ImportDependencies extends AddDependencies {
  conversations: AddedConversations
  backups: Pick<Backups, 'make'>
  vault: Pick<Vault, 'get'>
  mask: Pick<Mask, 'values'>
}

export interface Carried {
  found: FoundContents
  source: ImportSource
  fileName: string
  settings: boolean
  conversations: boolean
  values: SecretValues | null
  /** Where a working folder lies while its conversation is added. */
  folderAt: string
}

interface Watcher {
  signal: AbortSignal
  onProgress(progress: DataProgress): void
  /** As it is so far: what is given up shows what it has done. */
  onResult(result: DataImportResult): void
}

/** What stands in a file, and what of it is here. */
export async function presentOf(dependencies: ImportDependencies, found: FoundContents): Promise<DataContents> {
  const { settings, profiles, specs, secrets, conversations } = dependencies
  const { written, unreadable } = found
  const models = documentOf(found, 'models')
  const specIds = documentOf(found, 'specs').map(({ id }) => id)
  const names = documentOf(found, 'secrets').map(({ name }) => name)
  const here = new Set((await secrets.list()).map(({ name }) => name))
  const present = await conversations.present(found.conversations)
  return {
    app_version: written?.app_version ?? null,
    exported_at: written?.exported_at ?? null,
    has_settings: found.parts.settings !== undefined,
    settings: changedSettings(documentOf(found, 'settings'), settings.read()),
    has_secret_values: found.parts.secretValues !== undefined || found.open?.hasValues === true,
    counts: {
      conversations: found.conversations.length,
      events: found.events,
      models: models.length,
      specs: specIds.length,
      secrets: names.length,
    },
    present: {
      conversations: present.length,
      events: 0,
      models: models.filter(({ name }) => profiles.has(name)).length,
      specs: (await specs.batch(specIds)).filter(spec => spec !== null).length,
      secrets: names.filter(name => here.has(name)).length,
    },
    working_folders: found.workingFolders.size,
    unreadable_events: unreadable,
    secret_names: names,
    provider_tokens: found.open?.providers ?? [],
    left_out: written?.left_out ?? NOTHING_LEFT_OUT,
    problems: found.problems,
  }
}

/** @throws AppError disk_full where the working folders that would come find no room in `folder` */
export async function requireRoomForFolders(
  { conversations }: Pick<ImportDependencies, 'conversations'>,
  found: FoundContents,
  folder: string,
): Promise<void> {
  const { workingFolders } = found
  const kept = new Set(await conversations.present([...workingFolders.keys()]))
  for (const id of await conversations.withoutFolder([...kept])) kept.delete(id)
  const needed = [...workingFolders].reduce(
    (sum, [id, bytes]) => (kept.has(id as ConversationId) ? sum : sum + bytes),
    0,
  )
  const disk = needed > 0 ? await readDisk(folder) : null
  if (!disk || leavesRoom(disk, needed)) return
  throw new AppError(
    'disk_full',
    `The working folders of the file take ${mebibytes(needed)}, and the disk of the data folder has ${mebibytes(disk.free_bytes)} left, of which some is for conversations. Free some space, then start the import again.`,
  )
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20).toLocaleString('en-US')} MiB`
}

/** Read anew where they lie open, so that nothing keeps them meanwhile. @throws AppError bad_request, the signal's reason */
export async function readOpenValues(source: ImportSource, signal: AbortSignal): Promise<SecretValues> {
  const data = { source, work: { kind: 'values' as const }, secrets: [] }
  const { values } = await runImportThread(data, signal, { progress: () => {} })
  if (!values) throw new AppError('bad_request', 'The values of a file are under a passphrase. Enter it.')
  return values
}

/** @throws AppError bad_request for another passphrase, and for a file without values */
export async function openValues(found: FoundContents, passphrase: string): Promise<SecretValues> {
  const { secretValues: sealed } = found.parts
  if (sealed === undefined) throw damagedFile('it holds no values of secrets')
  const text = await unseal(JSON.parse(sealed), passphrase)
  const { data } = secretValues.safeParse(parseJson(Buffer.from(text), PARTS.secretValues))
  if (!data) throw damagedFile('its secrets cannot be read')
  return data
}

/**
 * Adds what is not here yet, conversations last. A copy of the database from before is made first.
 * @throws AppError of the backup, of the store, bad_request, the signal's reason; what is whole by then stays
 */
export async function carryOut(
  dependencies: ImportDependencies,
  carried: Carried,
  watcher: Watcher,
): Promise<DataImportResult> {
  const { signal, onResult } = watcher
  const { found, settings, values, fileName } = carried
  const backup = await dependencies.backups.make('manual')
  signal.throwIfAborted()
  const result: DataImportResult = {
    added: { conversations: 0, events: 0, models: 0, specs: 0, secrets: 0 },
    kept: { conversations: 0, events: 0, models: 0, specs: 0, secrets: 0 },
    working_folders: 0,
    settings: 0,
    settings_kept: [],
    secrets_without_value: [],
    provider_tokens: [],
    problems: [],
    backup: backup.name,
  }
  onResult(result)
  const names = documentOf(found, 'secrets').map(({ name }) => name)
  await addSecrets(dependencies, { names, values, result })
  await addModels(dependencies, { models: documentOf(found, 'models'), values, result })
  await addSpecs(dependencies, { documents: documentOf(found, 'specs'), fileName, result })
  if (settings) {
    const hasKey = (field: KeyField) => isStored(dependencies.vault, field)
    const given = documentOf(found, 'settings')
    const servers = values?.mcp_config
    await attempt('Settings', result, () => takeSettings(dependencies.settings, { given, values, hasKey, result }))
    if (servers) await attempt('Tool servers', result, () => addToolServers(dependencies.settings, servers))
  }
  if (carried.conversations) await addConversations(dependencies, carried, { ...watcher, result })
  return result
}

async function addConversations(
  { conversations, mask }: ImportDependencies,
  { found, source, folderAt }: Carried,
  { signal, onProgress, result }: Watcher & { result: DataImportResult },
): Promise<void> {
  const skipped = await conversations.present(found.conversations)
  const present = new Set(skipped)
  const lacking = [...found.workingFolders.keys()].filter(id => present.has(id))
  const foldersOf = await conversations.withoutFolder(lacking)
  result.kept.conversations = skipped.length
  let current: ConversationId | undefined
  let events = 0
  const take = (piece: ConversationPiece) => {
    if (piece.kind === 'conversation') {
      events = 0
      current = conversations.begin(piece.conversation)
      if (current === undefined) result.kept.conversations++
    }
    if (piece.kind === 'folder') {
      const id = parseConversationId(piece.conversation)
      if (conversations.workingFolder(id, folderAt)) result.working_folders++
    }
    if (current === undefined) return
    if (piece.kind === 'events') {
      conversations.events(current, piece.events)
      events += piece.events.length
    }
    if (piece.kind !== 'conversation-end') return
    const id = current
    conversations.end(id)
    current = undefined
    result.added.conversations++
    result.added.events += events
  }
  try {
    const data = { source, work: { kind: 'add' as const, skipped, foldersOf, folderAt }, secrets: mask.values() }
    await runImportThread(data, signal, {
      progress: progress => onProgress({ ...progress, events_total: found.events }),
      take,
    })
  } finally {
    if (current !== undefined) await conversations.giveUp(current)
    // What stays goes with the next start.
    await rm(folderAt, { force: true }).catch(() => {})
  }
}

/** Its schema was checked when the file was read. */
function documentOf<Name extends Exclude<PartName, 'secretValues'>>(
  { parts }: FoundContents,
  name: Name,
): z.output<(typeof DOCUMENTS)[Name]> {
  const text = parts[name] ?? EMPTY[name]
  return DOCUMENTS[name].parse(JSON.parse(text)) as z.output<(typeof DOCUMENTS)[Name]>
}

const EMPTY = { settings: '{}', models: '[]', specs: '[]', secrets: '[]' } as const

/** A keychain that does not answer may hold one. */
async function isStored(vault: Pick<Vault, 'get'>, field: KeyField): Promise<boolean> {
  try {
    return (await vault.get(field)) !== null
  } catch {
    return true
  }
}
