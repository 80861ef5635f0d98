import { useState } from 'react'
import type { TerminalConnectionState } from '../../../../state/terminal/connection.ts'
import { useOpenConversation } from '../../context.ts'
import { LazyScreen } from './LazyScreen.tsx'
import { t } from './text.ts'

/** What the commands of the agent write while they run. It is only looked at. */
export function AgentShellView() {
  const { info } = useOpenConversation()
  const [connection, setConnection] = useState<TerminalConnectionState>('connecting')
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p role="status" className="border-line border-b bg-sunken px-3 py-1.5 text-soft">
        {connection === 'lost' ? t('lost') : t('agentShellHint')}
      </p>
      <LazyScreen
        name={t('agentShell')}
        path={`/sockets/agent-shells/${info.id}`}
        keepsWidth
        canType={false}
        onState={setConnection}
      />
    </div>
  )
}
