import { WebSocket as NodeWebSocket } from 'ws'
import { alive } from '../../api/v1/system/system.ts'
import { dataDirOf } from '../../data-dir.ts'
import { readDiscoveryFile } from '../../discovery-file.ts'
import { ApiError } from '../api-error.ts'
import { Atelier } from '../atelier.ts'

export interface ConnectOptions {
  /** The data folder of the app; `ATELIER_DATA_DIR` or the user's own unless it is given. */
  dataDir?: string | undefined
  /** Address of the service, for one that has no data folder on this machine. */
  url?: string | undefined
  /** The key of the API; `SESSION_API_KEY` unless it is given. */
  key?: string | undefined
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
}

/**
 * Finds the running app by its discovery file and makes sure that it answers.
 * @throws ApiError unreachable when none runs, unauthorized when there is no key
 */
export async function connect(options: ConnectOptions = {}): Promise<Atelier> {
  const { url = runningUrl(options.dataDir), key = process.env.SESSION_API_KEY, timeoutMs, signal } = options
  if (!key) {
    const message = 'There is no key. Give it as `key`, or in the environment as SESSION_API_KEY.'
    throw new ApiError({ status: 401, code: 'unauthorized', message })
  }
  const atelier = new Atelier({ url, key, timeoutMs, connect: openWebSocket })
  await atelier.call(alive, { signal })
  return atelier
}

function runningUrl(dataDir: string | undefined): string {
  const folder = dataDir ?? dataDirOf(process.env)
  const found = readDiscoveryFile(folder)
  if (found) return found.url
  const message = `Atelier does not run with the data folder ${folder}. Start it, or run \`atelier serve\`.`
  throw new ApiError({ status: 0, code: 'unreachable', message })
}

/** Node.js has WebSockets of its own from version 22 on alone. */
export function openWebSocket(address: string): WebSocket {
  const socket = new NodeWebSocket(address)
  // Told by its close as well.
  socket.on('error', () => {})
  return socket as unknown as WebSocket
}
