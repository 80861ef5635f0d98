import { notifyManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { createRoot, type Root } from 'react-dom/client'
import { z } from 'zod'
import { getSystem } from '../server/api/v1/system/system.ts'
import { ApiError } from '../server/client/api-error.ts'
import { type Client, createClient } from '../server/client/client.ts'
import { UpdatesSocket } from '../server/client/updates-socket.ts'
import { App, StorageQuestion } from './App.tsx'
import { findConnection, forgetKey, LoginNeeded, type ServiceConnection } from './api/connection.ts'
import { batchInOneTask } from './api/query/batching.ts'
import { ThrottledInvalidation } from './api/query/throttled-invalidation.ts'
import { keys, staleKeys } from './api/query-keys.ts'
import type { Session } from './api/session.ts'
import { CannotOpen, LoginPage, Opening } from './components/Opening.tsx'
import { DIRECTION, LANGUAGE } from './language/current.ts'
import { createAppRouter } from './routes.tsx'
import { applyAppearance, followAppearance } from './state/settings/appearance.ts'

// The content security policy forbids evaluated code, which zod would try first.
z.config({ jitless: true })

document.documentElement.lang = LANGUAGE
document.documentElement.dir = DIRECTION
notifyManager.setScheduler(batchInOneTask())
applyAppearance()
followAppearance()

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root.')
await openWindow(createRoot(element))

/** The window's one composition root: connection, cache, change feed, router. */
async function openWindow(root: Root): Promise<void> {
  root.render(<Opening />)
  const retry = () => void openWindow(root)
  let client: Client | undefined
  try {
    const queryClient = createQueryClient(error => {
      // A service that was started anew does not know a browser's old key, or has something to ask first.
      const isOver = isUndecided(error) || (isUnauthorized(error) && !window.atelier)
      if (!isOver || session.updates.state() === 'closed') return
      session.updates.close()
      retry()
    })
    const connection = await findConnection(window)
    client = createClient({ ...connection, validate: import.meta.env.DEV })
    const session = await openSession({ connection, client, queryClient })
    const router = createAppRouter({ queryClient, client })
    root.render(<App session={session} queryClient={queryClient} router={router} />)
  } catch (error) {
    if (client && isUndecided(error)) return root.render(<StorageQuestion client={client} onDecided={retry} />)
    const login = !window.atelier && (error instanceof LoginNeeded || isUnauthorized(error))
    if (login) forgetKey(window)
    root.render(login ? <LoginPage onLogin={retry} /> : <CannotOpen error={error} onRetry={retry} />)
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthorized'
}

function isUndecided(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'storage_undecided'
}

interface Opened {
  connection: ServiceConnection
  client: Client
  queryClient: QueryClient
}

async function openSession({ connection, client, queryClient }: Opened): Promise<Session> {
  // The first question also proves the key, before anything is shown that would need it.
  queryClient.setQueryData(keys.system, await client.call(getSystem))
  const stale = new ThrottledInvalidation(queryClient)
  const updates = new UpdatesSocket(connection, {
    onChange: frame => {
      for (const queryKey of staleKeys(frame)) stale.invalidate(queryKey)
    },
    onReconnect: () => void queryClient.invalidateQueries(),
  })
  updates.open()
  window.addEventListener('pagehide', () => updates.close(), { once: true })
  return { ...connection, client, updates }
}

function createQueryClient(onError: (error: Error) => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    defaultOptions: {
      // The service is on this machine: without a network it answers all the same.
      queries: { networkMode: 'always', staleTime: 15_000, retry: mayRetry, retryDelay: 500 },
      mutations: { networkMode: 'always' },
    },
  })
}

function mayRetry(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof ApiError && (error.code === 'unreachable' || error.status >= 502)
}
