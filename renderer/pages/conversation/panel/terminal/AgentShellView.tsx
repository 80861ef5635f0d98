import { useEffect, useRef, useState } from 'react'
import type {
  TerminalConnection,
  TerminalConnectionState,
  TerminalNews,
} from '../../../../state/terminal/connection.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useOpenConversation } from '../../context.ts'
import { CommandLine } from './CommandLine.tsx'
import { LazyScreen } from './LazyScreen.tsx'
import { t } from './text.ts'

/**
 * What the commands of the agent write while they run. While it does not work, a person can run commands there too; what
 * runs gets keys once a person has taken over.
 */
export function AgentShellView() {
  const { info, pause, pausing } = useOpenConversation()
  const [state, setState] = useState<TerminalConnectionState>('connecting')
  const [owner, setOwner] = useState<'agent' | 'person' | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [isTakenOver, setTakenOver] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const connection = useRef<TerminalConnection>(null)
  const view = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLInputElement>(null)
  const isOpen = state === 'open'
  const canType = isOpen && isRunning && (owner === 'person' || isTakenOver)
  const canRun = isOpen && owner === 'person' && !isRunning
  const isLineFree = useRef(canRun)

  useEffect(() => {
    const wasTaken = !isLineFree.current
    isLineFree.current = canRun
    // After a program, and once the agent has paused for it: never from elsewhere on the page.
    if (canRun && wasTaken && view.current?.contains(document.activeElement)) line.current?.focus()
  }, [canRun])

  function onNews(news: TerminalNews) {
    if (news.type === 'program') {
      setRunning(news.running)
      setRefusal(null)
    }
    if (news.type === 'refused') setRefusal(news.detail)
    if (news.type !== 'owner') return
    setOwner(news.owner)
    if (news.owner === 'agent') setTakenOver(false)
  }
  function takeOver() {
    setTakenOver(true)
    pause()
  }
  const hint = canType ? t('keysGoToProgram') : owner === 'agent' ? t('agentWorks') : t('agentShellHint')
  return (
    <div ref={view} className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-9 items-center gap-2 border-line border-b bg-sunken px-3 py-1 text-soft">
        <p role="status" className="min-w-0 flex-1">
          {state === 'lost' ? t('lost') : hint}
        </p>
        {owner === 'agent' && isOpen && (
          <Button size="small" busy={pausing} onClick={takeOver}>
            {pausing ? t('pausing') : t('takeOver')}
          </Button>
        )}
      </div>
      <LazyScreen
        name={t('agentShell')}
        path={`/sockets/agent-shells/${info.id}`}
        keepsWidth
        canType={canType}
        onState={setState}
        onNews={onNews}
        connection={connection}
      />
      {refusal !== null && (
        <p role="alert" className="border-line border-t bg-wait-wash px-3 py-1.5 text-soft">
          {refusal}
        </p>
      )}
      <CommandLine
        conversation={info.id}
        ref={line}
        disabled={!canRun}
        onRun={command => {
          setRefusal(null)
          connection.current?.run(command)
        }}
      />
    </div>
  )
}
