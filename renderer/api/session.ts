import { createContext, useContext } from 'react'
import type { Client } from '../../server/client/client.ts'
import type { UpdatesSocket } from '../../server/client/updates-socket.ts'

/** One open connection to the service: what every page works with. */
export interface Session {
  url: string
  key: string
  client: Client
  updates: UpdatesSocket
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used outside of a session.')
  return session
}

export function useClient(): Client {
  return useSession().client
}
