import { useState } from 'react'
import type { TerminalInfo } from '../../../../../server/api/v1/sandbox/terminals.ts'
import type { TerminalConnectionState } from '../../../../state/terminal/connection.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useSandbox } from '../../use-sandbox.ts'
import { LazyScreen } from './LazyScreen.tsx'
import { ResumeNotice } from './ResumeNotice.tsx'
import { t } from './text.ts'

interface ShellViewProps {
  terminal: TerminalInfo
  onRestart: () => void
  restarting: boolean
  whyNoRestart: string | null
}

/** One shell: its screen, and above it what is the matter with it. */
export function ShellView({ terminal, onRestart, restarting, whyNoRestart }: ShellViewProps) {
  const { status, isUsable } = useSandbox()
  const [connection, setConnection] = useState<TerminalConnectionState>('connecting')
  // Keys typed before it is connected are sent once it is.
  const takesKeys = connection === 'connecting' || connection === 'open'
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {status === 'PAUSED' && !isUsable ? (
        <ResumeNotice what={t('paused')} />
      ) : terminal.status === 'ended' ? (
        <div role="status" className="flex items-center gap-2 border-line border-b bg-sunken px-3 py-1.5 text-soft">
          <span className="min-w-0 flex-1">
            {terminal.exit_code === null
              ? t('endedWithSandbox')
              : t('endedWithCode', { code: String(terminal.exit_code) })}
          </span>
          <Button size="small" busy={restarting} disabledReason={whyNoRestart} onClick={onRestart}>
            {t('startAgain')}
          </Button>
        </div>
      ) : connection === 'lost' ? (
        <p role="status" className="border-line border-b bg-wait-wash px-3 py-1.5 text-soft">
          {t('lost')}
        </p>
      ) : null}
      <LazyScreen
        name={terminal.name}
        path={`/sockets/terminals/${terminal.id}`}
        canType={isUsable && terminal.status === 'running' && takesKeys}
        onState={setConnection}
      />
    </div>
  )
}
