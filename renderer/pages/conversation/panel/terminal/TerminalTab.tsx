import { Plus } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { TerminalInfo } from '../../../../../server/api/v1/sandbox/terminals.ts'
import { usePreference } from '../../../../state/settings/preference.ts'
import { shortcutOf } from '../../../../state/shortcuts.ts'
import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { AlertDialog } from '../../../../ui/overlay/AlertDialog.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { useSandbox } from '../../use-sandbox.ts'
import { AgentShellView } from './AgentShellView.tsx'
import { ResumeNotice } from './ResumeNotice.tsx'
import { ShellView } from './ShellView.tsx'
import { TerminalStrip } from './TerminalStrip.tsx'
import { AGENT, tabBeside } from './tabs.ts'
import { t } from './text.ts'
import { isBusy, useTerminals } from './use-terminals.ts'

/** The shell of the agent, and those of the person in the sandbox, each on a tab. */
export function TerminalTab() {
  const { query, create, rename, restart, close } = useTerminals()
  const { isUsable } = useSandbox()
  const strip = useRef<HTMLDivElement>(null)
  const { info } = useOpenConversation()
  // A panel that becomes a sheet is another one.
  const [chosen, setChosen] = usePreference(`terminal.${info.sandbox_id}`, '', sessionStorage)
  const [asking, setAsking] = useState<{ terminal: TerminalInfo; reason: string } | null>(null)
  const terminals = query.data ?? []
  const current = chosen === AGENT ? AGENT : (terminals.find(({ id }) => id === chosen) ?? terminals.at(-1))
  const whyNot = isUsable ? null : t('sandboxNotRunning')

  function open() {
    if (!whyNot && !create.isPending) create.mutate(undefined, { onSuccess: ({ id }) => setChosen(id) })
  }
  function end(terminal: TerminalInfo, ifIdle: boolean) {
    const onError = (error: unknown) => {
      if (isBusy(error)) setAsking({ terminal, reason: error.message })
    }
    close.mutate({ terminal, ifIdle: ifIdle && terminal.status === 'running' && !whyNot }, { onError })
  }
  function step(by: number) {
    setChosen(tabBeside(terminals, current ?? AGENT, by))
  }
  /** Before the shell gets them. */
  function onKeyDownCapture(event: KeyboardEvent) {
    const act = {
      'Mod+Shift+t': open,
      'Mod+Shift+w': () => current && current !== AGENT && end(current, true),
      'Mod+PageUp': () => step(-1),
      'Mod+PageDown': () => step(1),
      'Shift+Escape': () => strip.current?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus(),
    }[shortcutOf(event)]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  if (query.isPending) return <Skeleton label={t('loadingTerminals')} className="p-3" />
  if (query.isLoadingError)
    return (
      <div className="p-3">
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      </div>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the terminals, wherever the focus is among them
    <div onKeyDownCapture={onKeyDownCapture} onKeyDown={keepEscape} className="flex h-full min-h-0 flex-col">
      {create.isError && (
        <div className="p-3">
          <ErrorNotice error={create.error} onRetry={open} retrying={create.isPending} />
        </div>
      )}
      <TerminalStrip
        ref={strip}
        terminals={terminals}
        current={current}
        onChoose={setChosen}
        onRename={(terminal, name) => rename.mutate({ terminal, name })}
        onClose={terminal => end(terminal, true)}
        onNew={open}
        newBusy={create.isPending}
        whyNoNew={whyNot}
      />
      {current === AGENT ? (
        <AgentShellView />
      ) : current ? (
        <ShellView
          key={current.id}
          terminal={current}
          onRestart={() => restart.mutate(current)}
          restarting={restart.isPending}
          whyNoRestart={whyNot}
        />
      ) : (
        <Nothing onNew={open} busy={create.isPending} />
      )}
      {asking && (
        <AlertDialog
          open
          onOpenChange={isOpen => !isOpen && setAsking(null)}
          title={t('closeTitle', { name: asking.terminal.name })}
          confirm={t('closeTerminal')}
          onConfirm={() => {
            end(asking.terminal, false)
            setAsking(null)
          }}
        >
          {t('closeBusy', { reason: asking.reason })}
        </AlertDialog>
      )}
    </div>
  )
}

/** The page would pause the agent. */
function keepEscape(event: KeyboardEvent) {
  if (event.key === 'Escape') event.stopPropagation()
}

function Nothing({ onNew, busy }: { onNew: () => void; busy: boolean }) {
  const { status, isUsable } = useSandbox()
  if (status === 'PAUSED' && !isUsable) return <ResumeNotice what={t('pausedEmpty')} />
  const whyNot = isUsable ? null : t('sandboxNotRunning')
  return (
    <EmptyState
      title={t('noTerminal')}
      action={
        <Button
          look="primary"
          icon={<Plus size={14} aria-hidden />}
          busy={busy}
          disabledReason={whyNot}
          onClick={onNew}
        >
          {t('newTerminal')}
        </Button>
      }
    >
      {t('noTerminalHint')}
    </EmptyState>
  )
}
