import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import pino from 'pino'
import { type Entry, fromBuffer, type Options, type ZipFile } from 'yauzl'
import type { NewEvent } from '../../server/api/event/events.ts'
import type { DataExport } from '../../server/api/v1/transfer/exports.ts'
import type { DataImport } from '../../server/api/v1/transfer/imports.ts'
import { Bus } from '../../server/bus.ts'
import { openConversationSecrets } from '../../server/composition/conversation-secrets.ts'
import { AppError } from '../../server/domain/errors.ts'
import { ImportedFolders } from '../../server/folder/imported.ts'
import { openToolServers } from '../../server/mcp/open.ts'
import { Outbound } from '../../server/outbound/outbound.ts'
import type { SandboxService } from '../../server/sandbox/service.ts'
import { SandboxSpecs } from '../../server/sandbox/specs.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { createSecretStore } from '../../server/secret/user-secrets.ts'
import { createSessionVault } from '../../server/secret/vault/session.ts'
import { Profiles } from '../../server/settings/profiles.ts'
import { SettingsService } from '../../server/settings/service.ts'
import { Backups } from '../../server/store/backup/backups.ts'
import { ConversationDeletions } from '../../server/store/conversation/deletions.ts'
import { MetaRow } from '../../server/store/database/meta.ts'
import { LlmProfileTable } from '../../server/store/llm-profiles.ts'
import { SandboxSpecTable } from '../../server/store/sandbox/specs.ts'
import { SettingTable } from '../../server/store/settings.ts'
import type { FolderDependencies } from '../../server/transfer/export/working-folders.ts'
import { openTransfer } from '../../server/transfer/open.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'

const NO_SANDBOXES: FolderDependencies['sandboxes'] = {
  readFolder: async () => {
    throw new AppError('sandbox_not_found', 'The sandbox does not exist any more. Start a new one.')
  },
}

/** An Atelier without an engine: its database, keychain, settings, and what moves them. */
export function aComputer(
  dataDir?: string,
  vault = createSessionVault({ state: 'missing', reason: 'This is a test.' }),
  sandboxes: FolderDependencies['sandboxes'] = NO_SANDBOXES,
) {
  const store = openStore(dataDir)
  const { database, folder } = store
  const mask = createMask()
  const bus = new Bus()
  const log = pino({ level: 'silent' })
  const outbound = new Outbound({ allowedHosts: () => [] })
  const verify = async () => {
    throw new Error('No token is checked here.')
  }
  const secrets = createSecretStore({ database, vault, mask, bus, log, verify, fetch })
  const settings = new SettingsService({ table: new SettingTable(database), vault, mask, bus, secrets })
  const profileRows = new LlmProfileTable(database)
  const active = new MetaRow(database, 'active_llm_profile')
  const profiles = new Profiles({ table: profileRows, items: secrets.items, active, settings, bus })
  const specs = new SandboxSpecs({
    images: { reference: 'atelier-sandbox:test', isPresent: async () => null },
    table: new SandboxSpecTable(database),
    bus,
    imageSettings: async () => ({ base: null, runtime: null, resourceFactor: null }),
    isEngine: id => id === 'default',
    mountGround: () => {
      throw new Error('Nothing is mounted here.')
    },
  })
  const file = join(folder, 'atelier.db')
  const now = () => new Date()
  const backups = new Backups({ dataDir: folder, file, log, now, onChange: () => {} })
  const deletions = new ConversationDeletions(database)
  const moved = {
    ...{ settings, secrets: secrets.secrets, tokens: secrets.tokens, vault, log, mask, specs },
    bundledImage: () => 'atelier-sandbox:test',
  }
  const conversationSecrets = openConversationSecrets({
    ...{ database, secrets, mask, outbound },
    parentOf: () => null,
    withholds: () => false,
  })
  const { hub, tokens, close } = openToolServers({
    ...{ version: '1.2.3', outbound, database, vault, mask, secrets, settings, bus, log },
    sandboxes: {} as SandboxService,
    environmentFor: async () => ({}),
    serverEnvironmentFor: async () => ({}),
    admit: async () => {
      throw new Error('Nothing is started here.')
    },
    skillServers: () => ({}),
    takenNames: () => [],
    find: () => undefined,
    url: () => 'http://127.0.0.1',
  })
  const importedFolders = new ImportedFolders(folder)
  const data = openTransfer({
    dataDir: folder,
    exporting: {
      ...{ ...moved, file, version: '1.2.3', profiles: profileRows, items: secrets.items, now },
      ...{ conversationSecrets, toolServers: hub, conversations: store.conversations, sandboxes, importedFolders },
    },
    importing: { ...moved, ...store, importedFolders, userHome: folder, deletions, bus, profiles, backups },
  })
  /** Leaves the folder. */
  const leave = async () => {
    await data.close()
    await backups.close()
    await close()
    await outbound.close()
    store.close()
  }
  return {
    ...store,
    ...data,
    ...{ conversationSecrets, hub, signIns: tokens },
    ...{ importedFolders, mask, vault, secrets, settings, profiles, specs, deletions, backups },
    leave,
    remove: async () => {
      if (database.isOpen) await leave()
      store.remove()
    },
  }
}
export type Computer = ReturnType<typeof aComputer>

/** As asked for without a passphrase. */
export const EVERYTHING = { passphrase: null, workingFolders: false }

/** @returns the export when it has ended */
export async function ended(computer: Computer, { export_id }: DataExport): Promise<DataExport> {
  for (;;) {
    const shown = computer.dataExports.get(export_id)
    if (shown.state !== 'writing') return shown
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

export async function exported(
  computer: Computer,
  { passphrase = null, workingFolders = false }: { passphrase?: string | null; workingFolders?: boolean } = {},
) {
  const shown = await ended(computer, computer.dataExports.start({ passphrase, workingFolders }))
  if (shown.state !== 'ready') throw new Error(shown.problem ?? 'It is not ready.')
  return { shown, bytes: await buffer(computer.dataExports.open(shown.export_id).content) }
}

/** @returns the import when nothing goes on any more */
export async function settled(computer: Computer, { import_id }: DataImport): Promise<DataImport> {
  for (;;) {
    const shown = computer.dataImports.get(import_id)
    if (shown.state !== 'checking' && shown.state !== 'importing') return shown
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** @returns what was found in the file */
export async function checked(computer: Computer, bytes: Buffer): Promise<DataImport> {
  async function* content() {
    for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536)
  }
  const signal = new AbortController().signal
  return settled(computer, await computer.dataImports.receive(content(), 'C:\\Mine.atelier-data.zip', signal))
}

/** @returns what became of it */
export async function imported(
  computer: Computer,
  bytes: Buffer,
  asked: { settings?: boolean; passphrase?: string } = {},
): Promise<DataImport> {
  const { import_id, state, problem } = await checked(computer, bytes)
  if (state !== 'checked') throw new Error(problem ?? state)
  const { settings = false, passphrase = null } = asked
  return settled(computer, await computer.dataImports.start(import_id, { settings, passphrase }))
}

/** A conversation with so many events. */
export function conversationWith(computer: Computer, count: number, fields: Parameters<typeof aConversation>[0] = {}) {
  const conversation = aConversation(fields)
  computer.conversations.insert(conversation)
  for (let from = 0; from < count; from += 1000) {
    const events = Array.from({ length: Math.min(1000, count - from) }, (_, index) => newEvent(from + index))
    computer.eventLog.appendAll(conversation.id, events)
  }
  return conversation
}

/** What a person writes is kept as it was written. */
export function said(text: string): NewEvent {
  const llm_message = { role: 'user' as const, content: [{ type: 'text' as const, text }] }
  return { kind: 'MessageEvent', source: 'user', llm_message, activated_skills: [], extended_content: [] }
}

/** Every text in the file, one after the other. */
export async function textsOf(bytes: Buffer): Promise<string> {
  const zip = await promisify<Buffer, Options, ZipFile>(fromBuffer)(bytes, { lazyEntries: true })
  let all = ''
  for (;;) {
    const entry = await new Promise<Entry | null>(resolve => {
      zip.once('entry', resolve)
      zip.once('end', () => resolve(null))
      zip.readEntry()
    })
    zip.removeAllListeners()
    if (!entry) return all
    all += `${entry.fileName}\n${(await buffer(await promisify(zip.openReadStream.bind(zip))(entry))).toString()}\n`
  }
}
