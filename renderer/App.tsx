import { DirectionProvider } from '@base-ui/react/direction-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Client } from '../server/client/client.ts'
import { type Session, SessionContext } from './api/session.ts'
import { DIRECTION } from './language/current.ts'
import { StorageQuestionPage } from './pages/storage-question/StorageQuestionPage.tsx'
import type { AppRouter } from './routes.tsx'
import { Toaster } from './ui/overlay/Toaster.tsx'
import { TooltipProvider } from './ui/overlay/Tooltip.tsx'

export interface AppProps {
  session: Session
  queryClient: QueryClient
  router: AppRouter
}

export function App({ session, queryClient, router }: AppProps) {
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queryClient}>
        <Providers>
          <RouterProvider router={router} />
          <Toaster />
        </Providers>
      </QueryClientProvider>
    </SessionContext>
  )
}

/** Before there is a session: the service answers nothing else. */
export function StorageQuestion({ client, onDecided }: { client: Client; onDecided: () => void }) {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } }))
  return (
    <QueryClientProvider client={queryClient}>
      <Providers>
        <StorageQuestionPage client={client} onDecided={onDecided} />
      </Providers>
    </QueryClientProvider>
  )
}

/** What the parts of every page expect around them. */
function Providers({ children }: { children: ReactNode }) {
  return (
    <DirectionProvider direction={DIRECTION}>
      <TooltipProvider>{children}</TooltipProvider>
    </DirectionProvider>
  )
}
