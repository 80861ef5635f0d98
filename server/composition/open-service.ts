import { homedir } from 'node:os'
import { DEFAULT_ENGINE } from '../api/v1/system/engines.ts'
import { Bus } from '../bus.ts'
import { SharedShells } from '../conversation/run/shared-shells.ts'
import { writeDiscoveryFile } from '../discovery-file.ts'
import { keepPrivate } from '../disk/private-folder.ts'
import { DiskWatch } from '../disk/space.ts'
import { GitSignIns } from '../git-providers/sign-in/sign-ins.ts'
import { verifyToken } from '../git-providers/verify-token.ts'
import { serveGateway } from '../http/agent-server/routes.ts'
import { type HttpServer, serve } from '../http/core/server.ts'
import { servePreviews } from '../http/preview/server.ts'
import type { TaskCaller } from '../http/tasks-mcp.ts'
import type { Logins } from '../http/v1/logins.ts'
import { ANSWER_LIMITS } from '../outbound/limits.ts'
import { Outbound } from '../outbound/outbound.ts'
import { Previews } from '../preview/previews.ts'
import { openSandboxes } from '../sandbox/open.ts'
import { createMask } from '../secret/mask/mask.ts'
import type { VerifyToken } from '../secret/provider-tokens.ts'
import { sandboxKey } from '../secret/sandbox-key.ts'
import { createSecretStore } from '../secret/user-secrets.ts'
import { WatchedVault } from '../secret/vault/watched.ts'
import { SettingsService } from '../settings/service.ts'
import { Backups } from '../store/backup/backups.ts'
import { FileWatch } from '../store/file-watch.ts'
import type { OpenedStorage } from '../store/recovery/open.ts'
import { TextIndex } from '../store/search/text-index.ts'
import { SettingTable } from '../store/settings.ts'
import type { Erasing } from '../system/erasure.ts'
import { StorageService } from '../system/storage.ts'
import { SystemService } from '../system/system.ts'
import { AgentShells } from '../terminal/agent-shells.ts'
import { Terminals } from '../terminal/terminals.ts'
import { COLUMNS, ROWS } from '../tools/terminal/size.ts'
import { openTransfer } from '../transfer/open.ts'
import { hostPathIn } from '../trust/identity.ts'
import { Closers } from './closers.ts'
import { openConversations } from './conversations.ts'
import { openDoctor } from './doctor.ts'
import { powerOf } from './power.ts'
import { aroundServices } from './sandbox-services.ts'
import type { OpenService, ServiceOptions } from './service-options.ts'

export interface OpenServiceOptions extends ServiceOptions, Erasing {
  storage: Extract<OpenedStorage, { kind: 'open' }>
  /** Stay through a restart, so that nobody has to log in again. */
  logins: Logins
  restart: () => void
}

/** The composition root: everything is made here, started in order, and closed in the reverse order. */
export async function openService(options: OpenServiceOptions): Promise<OpenService> {
  const closers = new Closers(options.log)
  closers.add('database', () => options.storage.database.close())
  try {
    return await open(options, closers)
  } catch (error) {
    await closers.close()
    throw error
  }
}

async function open(options: OpenServiceOptions, closers: Closers): Promise<OpenService> {
  const { log, logins, userHome = homedir() } = options
  const vault = new WatchedVault(options.vault)
  const { database, instanceId } = options.storage
  const bus = new Bus()
  database.damaged.subscribe(row => log.warn(row, 'A stored row cannot be read; everything else is shown'))
  const onChange = () => bus.publish({ resource: 'system' })
  const files = new FileWatch({ database, log, onChange })
  closers.add('file watch', () => files.close())
  files.start()
  const disk = new DiskWatch({ name: 'the data folder', folder: () => options.dataDir, onChange, log })
  closers.add('disk watch', () => disk.close())
  database.onFull = () => disk.refused()
  await disk.start()
  const textIndex = new TextIndex({ file: database.file, instanceId, log })
  closers.add('search index', () => textIndex.close())
  closers.add(
    'changes for the search index',
    bus.subscribe(change => {
      if (change.resource === 'conversation') textIndex.note(change.id)
    }),
  )
  const mask = createMask([options.apiKey.current()])
  closers.add('mask of the API key', options.apiKey.subscribe(mask.add))
  options.maskLog?.(mask.mask)
  const outbound = new Outbound({ allowedHosts: () => settings.read().allowed_hosts, findProxy: options.findProxy })
  closers.add('outbound requests', () => outbound.close())
  const gitFetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.git })
  const verify: VerifyToken = (asked, signal) => verifyToken(asked, { fetch: gitFetch, signal })
  const secrets = createSecretStore({ database, vault, mask, bus, log, verify, fetch: gitFetch })
  closers.add('secrets', secrets.close)
  secrets.start()
  const gitSignIns = new GitSignIns({ fetch: gitFetch, store: secrets.tokens.storeSignedIn })
  closers.add('sign-ins to git providers', () => gitSignIns.close())
  const settings = new SettingsService({ table: new SettingTable(database), vault, mask, bus, secrets })
  let openToOthers: readonly string[] = []
  let gateway: HttpServer | undefined
  let server: HttpServer | undefined
  const url = () => server?.url ?? ''
  const gatewayUrl = () => gateway?.url ?? null
  const folder = () => docker.engines.get(DEFAULT_ENGINE).connection.folder()
  const engineDisk = new DiskWatch({ name: 'the engine', folder, onChange, log })
  const docker = await openSandboxes({
    ...options,
    ...aroundServices(database),
    bus,
    database,
    settings,
    instanceId,
    engineDisk,
    sessionKeyFor: id => sandboxKey(options.apiKey.current(), id),
    agentServerUrl: gatewayUrl,
    mask: text => mask.mask(text),
  })
  closers.add('sandboxes', docker.close)
  const { engines } = docker
  const engine = engines.get(DEFAULT_ENGINE)
  const terminals = new Terminals({ sandboxes: docker.sandboxes, bus, log })
  closers.add('terminals', () => terminals.closeAll())
  closers.add('disk watch of the engine', () => engineDisk.close())
  await engineDisk.start()
  const previews = new Previews({
    ...{ bus, sandboxes: docker.sandboxes },
    key: () => options.apiKey.current(),
    serve: served => servePreviews({ port: options.previewPort, previews: served }),
  })
  closers.add('previews', () => previews.close())
  closers.add(
    'addresses of previews',
    options.apiKey.subscribe(() => void previews.forget()),
  )
  const agentShells = new AgentShells({
    mask,
    size: { cols: COLUMNS, rows: ROWS },
    sharedShells: () => sharedShells,
  })
  const conversations = openConversations(
    { ...options, userHome },
    {
      agentShells,
      bus,
      database,
      mask,
      secrets,
      settings,
      ...docker,
      instanceId,
      disk,
      hostPathOf: async (id, path) => {
        const [sandbox] = await docker.sandboxes.batch([id])
        return hostPathIn(sandbox ? await docker.specs.mountsOf(sandbox.sandbox_spec_id) : [], path)
      },
      textIndex,
      outbound,
      url,
    },
  )
  closers.add('conversations', conversations.close)
  // What ends with the conversations wakes no sandbox.
  closers.add('pauses of idle sandboxes', () => docker.sandboxes.idle.close())
  const sharedShells = new SharedShells(conversations.agents)
  closers.add(
    'changes for the shells of agents and the desktop',
    bus.subscribe(change => {
      if (change.resource === 'conversation') agentShells.notice(change.id)
      if (change.resource === 'conversation' || change.resource === 'start-task') options.onActivity?.()
    }),
  )

  const beforeCopy = () => files.check()
  const backups = new Backups({ ...options, file: database.file, now: () => new Date(), beforeCopy, onChange })
  backups.start()
  closers.add('backups', () => backups.close())
  const storage = new StorageService({
    ...options,
    file: database.file,
    question: null,
    backups,
    disk,
    database,
    files,
  })
  const moved = {
    specs: docker.specs,
    settings,
    secrets: secrets.secrets,
    tokens: secrets.tokens,
    vault,
    bundledImage: () => engine.images.reference,
  }
  const data = openTransfer({
    dataDir: options.dataDir,
    exporting: {
      ...options,
      ...moved,
      file: database.file,
      ...conversations.added,
      ...conversations.exported,
      sandboxes: docker.sandboxes,
      items: secrets.items,
      mask,
      now: () => new Date(),
    },
    importing: {
      ...options,
      userHome,
      ...moved,
      ...conversations.added,
      bus,
      profiles: conversations.services.profiles,
      backups,
      mask,
    },
  })
  closers.add('exports and imports', data.close)
  const system = new SystemService({
    version: options.version,
    dataDir: options.dataDir,
    openToOthers: () => openToOthers,
    disk,
    engineDisk,
    url,
    gatewayUrl,
    connection: engine.connection,
    images: engine.images,
    sandboxes: docker.sandboxes,
    vault,
    settings,
    outbound,
    bus,
  })
  const { doctor, logFile } = openDoctor({
    ...docker,
    options,
    instanceId,
    settings,
    outbound,
    mask,
    openToOthers: () => openToOthers,
    served: () => ({ api: url(), gateway: gatewayUrl() }),
  })
  const services = {
    ...conversations.services,
    doctor,
    logFile,
    sandboxes: docker.sandboxes,
    engines,
    terminals,
    previews,
    agentShells,
    specs: docker.specs,
    settings,
    secrets: secrets.secrets,
    tokens: secrets.tokens,
    gitSignIns,
    system,
    storage,
    ...data,
    logins,
    taskTools: {
      fetch: async (request: Request, caller: TaskCaller) =>
        (await import('../mcp/tasks/task-server.ts')).serveTasks(request, { version: options.version, ...caller }),
    },
    apiKey: options.apiKey,
    mask,
  }
  gateway = await serveGateway({
    ...options,
    port: options.gatewayPort,
    services: { ...conversations.gateway, system, terminals },
    conversations: conversations.services.conversations,
    sandboxes: docker.sandboxes,
    logins,
    mask,
  })
  closers.add('agent server port', gateway.close)
  server = await serve({ ...options, services, bus })
  closers.add('app port', server.close)
  closers.add('discovery file', writeDiscoveryFile({ ...options, url: server.url, gatewayUrl: gateway.url }))
  closers.add('engine connection', () => engines.closeWithin(options.engineCloseMs()))
  textIndex.start()
  // Once more, for what this start has made.
  openToOthers = keepPrivate(options.dataDir)
  if (openToOthers.length > 0)
    log.warn({ paths: openToOthers }, 'Other users of this machine can reach the data folder')
  log.info({ url: server.url, gatewayUrl: gateway.url, dataDir: options.dataDir }, 'Ready')
  return {
    url: server.url,
    gatewayUrl: gateway.url,
    ...powerOf({ outbound, engines }),
    activity: conversations.activity,
    busyTerminals: () => terminals.countBusy(),
    backUp: async () => (await backups.make('update')).name,
    close: closers.close,
  }
}
