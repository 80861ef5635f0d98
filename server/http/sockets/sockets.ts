import type { Server } from 'node:http'
import type { Bus } from '../../bus.ts'
import type { ConversationService } from '../../conversation/service.ts'
import type { Log } from '../../log.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { AgentShells } from '../../terminal/agent-shells.ts'
import type { Terminals } from '../../terminal/terminals.ts'
import type { Guard } from '../core/guard.ts'
import type { RequestGate } from '../core/request-gate.ts'
import type { SocketIo } from '../legacy/socket-io.ts'
import { serveEvents } from './event-socket.ts'
import { type ServeSocket, type SocketServer, serveSockets } from './socket-server.ts'
import { Subscribers } from './subscribers.ts'
import { agentShellIn, serveAgentShell, serveTerminal, terminalIn } from './terminal-socket.ts'
import { serveUpdates } from './updates-socket.ts'

interface Dependencies {
  gate: RequestGate
  guard: Guard
  conversations: ConversationService
  terminals: Terminals
  agentShells: AgentShells
  settings: Pick<SettingsService, 'read'>
  bus: Bus
  log: Log
  socketIo: SocketIo
}

/** The sockets of the API's port. */
export function attachSockets(server: Server, dependencies: Dependencies): SocketServer {
  const { gate, guard, log, socketIo } = dependencies
  const subscribers = new Subscribers()
  return serveSockets(server, {
    gate,
    log,
    upgrade: socketIo.upgrade,
    admit: key => guard.isKey(key) || undefined,
    find: url => findSocket(url, { ...dependencies, subscribers }),
  })
}

function findSocket(
  url: URL,
  dependencies: Dependencies & { subscribers: Subscribers },
): ServeSocket<true> | undefined {
  if (url.pathname === '/sockets/updates') return socket => serveUpdates(socket, dependencies.bus)
  const terminal = terminalIn(url.pathname)
  if (terminal !== undefined) {
    return (socket, inbox) => serveTerminal(socket, inbox, { ...dependencies, id: terminal })
  }
  const ofAgent = agentShellIn(url.pathname)
  if (ofAgent !== undefined) {
    return (socket, inbox) => serveAgentShell(socket, inbox, { ...dependencies, id: ofAgent })
  }
  const id = /^\/sockets\/events\/([^/]{1,100})$/.exec(url.pathname)?.[1]
  if (id === undefined) return undefined
  return (socket, inbox) => serveEvents(socket, { ...dependencies, inbox, id, query: url.searchParams })
}
