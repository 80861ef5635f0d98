import type { WebSocket } from 'ws'
import { agentShellClientFrame, terminalClientFrame } from '../../api/v1/sandbox/terminal-frames.ts'
import type { ConversationService } from '../../conversation/service.ts'
import type { AgentShellViewer } from '../../terminal/agent-shell.ts'
import type { AgentShells } from '../../terminal/agent-shells.ts'
import type { AttachedViewer } from '../../terminal/terminal.ts'
import type { Terminals } from '../../terminal/terminals.ts'
import type { ViewerSink } from '../../terminal/viewers.ts'
import type { Inbox } from '../v1/inbox.ts'
import { failureOf, messageIn, receive } from './event-socket.ts'
import { CLOSE_CODES } from './socket-protocol.ts'
import { type Subscribers, sendTo } from './subscribers.ts'

const ADDRESS = /^\/sockets\/terminals\/([^/]{1,100})$/
const OF_AGENT = /^\/sockets\/agent-shells\/([^/]{1,100})$/

/** The id of the terminal whose socket has this path. */
export function terminalIn(path: string): string | undefined {
  return ADDRESS.exec(path)?.[1]
}

/** The id of the conversation whose agent's shell has a socket with this path. */
export function agentShellIn(path: string): string | undefined {
  return OF_AGENT.exec(path)?.[1]
}

/**
 * One who shows a terminal and types into it; the protocol stands at `terminalFrame` in the contract.
 * @param options.sandboxId the only sandbox that the key opens; absent opens all
 */
export function serveTerminal(
  socket: WebSocket,
  inbox: Inbox,
  options: { terminals: Terminals; subscribers: Subscribers; id: string; sandboxId?: string | undefined },
): void {
  const { terminals, subscribers, id } = options
  const terminal = terminals.get(id, options.sandboxId)
  if (!terminal) return socket.close(CLOSE_CODES.notFound, 'Terminal not found')
  if (!subscribers.join(socket, `terminal ${id}`)) return
  const gone = () => socket.close(CLOSE_CODES.notFound, 'Terminal closed')
  socket.on('close', terminals.onGone(id, gone))
  serveViewer(socket, inbox, { attach: sink => terminal.attach(sink), follow })
}

/**
 * One who looks at the shell of a conversation's agent, and may use it.
 * @throws AppError conversation_not_found
 */
export function serveAgentShell(
  socket: WebSocket,
  inbox: Inbox,
  options: {
    agentShells: AgentShells
    conversations: Pick<ConversationService, 'find'>
    subscribers: Subscribers
    id: string
  },
): void {
  const { id } = options.conversations.find(options.id)
  if (!options.subscribers.join(socket, `agent shell ${id}`)) return
  serveViewer(socket, inbox, {
    attach: (sink, refuse) => options.agentShells.attach(id, sink, refuse),
    follow: followOfAgent,
  })
}

interface Shown<Viewer extends AttachedViewer> {
  attach: (sink: ViewerSink, refuse: (error: unknown) => void) => Viewer
  /** Carries out what a client says. @throws AppError */
  follow: (viewer: Viewer, frame: unknown, refuse: (error: unknown) => void) => void
}

/** Joins a socket to what it shows. */
function serveViewer<Viewer extends AttachedViewer>(
  socket: WebSocket,
  inbox: Inbox,
  { attach, follow }: Shown<Viewer>,
): void {
  const sink: ViewerSink = {
    tell: frame => sendTo(socket, JSON.stringify(frame)),
    show: bytes => {
      if (socket.readyState === socket.OPEN) socket.send(bytes, { binary: true })
    },
  }
  const refuse = (error: unknown) => sendTo(socket, JSON.stringify(refused(failureOf(error))))
  const viewer = attach(sink, refuse)
  socket.on('close', () => viewer.detach())
  const carryOut = (frame: unknown) => follow(viewer, frame, refuse)
  inbox.handle(
    text => receive(socket, text, carryOut, refused),
    bytes => {
      try {
        viewer.type(bytes)
      } catch (error) {
        refuse(error)
      }
    },
  )
}

/** @throws AppError bad_request */
function follow(viewer: AttachedViewer, frame: unknown): void {
  const asked = messageIn(terminalClientFrame, frame, 'one of a terminal: send shown, resize or answer')
  switch (asked.type) {
    case 'shown':
      return viewer.acknowledge(asked.bytes)
    case 'resize':
      return viewer.resize(asked.cols, asked.rows)
    case 'answer':
      return viewer.answer(asked.text)
  }
}

/** Why a command did not begin is sent when that is known. @throws AppError bad_request */
function followOfAgent(viewer: AgentShellViewer, frame: unknown, refuse: (error: unknown) => void): void {
  const asked = messageIn(
    agentShellClientFrame,
    frame,
    'one of the shell of an agent: send shown, run, resize or answer',
  )
  if (asked.type === 'run') viewer.run(asked.command).catch(refuse)
  else follow(viewer, asked)
}

function refused(failure: { code: string; detail: string }) {
  return { type: 'refused', ...failure }
}
