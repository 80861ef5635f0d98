import { lazy, Suspense, useState } from 'react'
import type { TerminalConnectionState } from '../../../../state/terminal/connection.ts'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

const Screen = lazy(async () => ({ default: (await import('./Screen.tsx')).Screen }))

/** Its programs draw for so many columns. */
const COLS = 256

/** What the commands of the agent write while they run. It is only looked at. */
export function AgentShellView() {
  const { info } = useOpenConversation()
  const [connection, setConnection] = useState<TerminalConnectionState>('connecting')
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p role="status" className="border-line border-b bg-sunken px-3 py-1.5 text-soft">
        {connection === 'lost' ? t('lost') : t('agentShellHint')}
      </p>
      <Suspense fallback={<Skeleton label={t('loadingScreen')} className="p-3" />}>
        <Screen
          name={t('agentShell')}
          path={`/sockets/agent-shells/${info.id}`}
          cols={COLS}
          canType={false}
          onState={setConnection}
        />
      </Suspense>
    </div>
  )
}
