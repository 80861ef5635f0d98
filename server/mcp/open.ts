import type { Bus } from '../bus.ts'
import { messageOf } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Mask } from '../secret/mask/mask.ts'
import type { SecretStore } from '../secret/user-secrets.ts'
import type { Vault } from '../secret/vault/vault.ts'
import type { SettingsService } from '../settings/service.ts'
import { ConversationToolServerTable } from '../store/conversation/tool-servers.ts'
import type { Database } from '../store/database/database.ts'
import { ConversationServers } from './conversation-servers.ts'
import { type HubOptions, McpHub } from './hub.ts'
import { signInFetch } from './sign-in/fetch.ts'
import { SignIns } from './sign-in/sign-in.ts'
import { McpTokens } from './sign-in/tokens.ts'

export interface OpenToolServersOptions {
  version: string
  outbound: Outbound
  database: Database
  vault: Vault
  mask: Mask
  secrets: SecretStore
  settings: SettingsService
  sandboxes: SandboxService
  environmentFor: HubOptions['environmentFor']
  serverEnvironmentFor: HubOptions['serverEnvironmentFor']
  admit: HubOptions['admit']
  skillServers: HubOptions['skillServers']
  takenNames: HubOptions['takenNames']
  find: HubOptions['find']
  /** Where a browser reaches this service. */
  url: () => string
  bus: Bus
  log: Log
}

/** Everything about tool servers. `close` ends them. */
export function openToolServers(options: OpenToolServersOptions) {
  const {
    version,
    outbound,
    database,
    vault,
    mask,
    secrets,
    settings,
    sandboxes,
    environmentFor,
    serverEnvironmentFor,
    admit,
    skillServers,
    takenNames,
    find,
    url,
    bus,
    log,
  } = options
  const table = new ConversationToolServerTable(database)
  const kept = new ConversationServers({ items: secrets.items, table })
  const fetchFor = signInFetch(outbound)
  const tokens = new McpTokens({ vault, mask, fetchFor })
  const hub = new McpHub({
    version,
    outbound,
    settings,
    kept,
    tokens,
    environmentFor,
    serverEnvironmentFor,
    admit,
    takenNames,
    skillServers,
    mask,
    find,
    bus,
    log,
    sandbox: async ({ sandbox_id, working_dir }, resume) => {
      if (resume) await sandboxes.resume(sandbox_id)
      return sandboxes.open(sandbox_id, working_dir)
    },
  })
  const signIns = new SignIns({ tokens, baseUrl: url, fetchFor, onSignedIn: url => hub.signedIn(url) })
  const tidied = kept
    .tidy()
    .catch(error => log.warn({ error: messageOf(error) }, 'Tool servers of deleted conversations are kept for now'))
  const close = async () => {
    signIns.close()
    await hub.close()
    await tidied
  }
  return { hub, tokens, signIns, close }
}
