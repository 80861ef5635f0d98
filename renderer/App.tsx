import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type Session, SessionContext } from './api/session.ts'
import type { AppRouter } from './routes.tsx'
import { Toaster } from './ui/Toaster.tsx'
import { TooltipProvider } from './ui/Tooltip.tsx'

export interface AppProps {
  session: Session
  queryClient: QueryClient
  router: AppRouter
}

export function App({ session, queryClient, router }: AppProps) {
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queryClient}>
        <TooltipProvider delay={400}>
          <RouterProvider router={router} />
          <Toaster />
        </TooltipProvider>
      </QueryClientProvider>
    </SessionContext>
  )
}
