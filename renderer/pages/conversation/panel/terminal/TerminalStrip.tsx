import { Bot, Plus, X } from 'lucide-react'
import { type KeyboardEvent, type Ref, useState } from 'react'
import type { TerminalInfo } from '../../../../../server/api/v1/sandbox/terminals.ts'
import { readingStep } from '../../../../state/reading-step.ts'
import { IconButton } from '../../../../ui/Button.tsx'
import { AGENT, idOf, type Tab, tabBeside } from './tabs.ts'
import { t } from './text.ts'

interface TerminalStripProps {
  ref: Ref<HTMLDivElement>
  terminals: readonly TerminalInfo[]
  /** undefined when no tab is shown. */
  current: Tab | undefined
  onChoose: (id: string) => void
  onRename: (terminal: TerminalInfo, name: string) => void
  onClose: (terminal: TerminalInfo) => void
  onNew: () => void
  newBusy: boolean
  /** Why none can be opened now. */
  whyNoNew: string | null
}

/** The line of tabs. Arrows go from one to the next, F2 or a double click renames, Delete closes. */
export function TerminalStrip(props: TerminalStripProps) {
  const { ref, terminals, current, onChoose, onRename, onClose, onNew, newBusy, whyNoNew } = props
  const [renamed, setRenamed] = useState<string | null>(null)
  function onKeyDown(event: KeyboardEvent<HTMLElement>, terminal: Tab) {
    const by = readingStep(event.key)
    if (by) {
      const next = tabBeside(terminals, terminal, by)
      onChoose(next)
      event.currentTarget.closest('[role=tablist]')?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
    } else if (terminal === AGENT) return
    else if (event.key === 'F2') setRenamed(terminal.id)
    else if (event.key === 'Delete') onClose(terminal)
    else return
    event.preventDefault()
  }
  const tabProps = (shown: Tab) => ({
    type: 'button' as const,
    role: 'tab',
    id: `tab-${idOf(shown)}`,
    'aria-selected': shown === current,
    'aria-controls': 'terminal-screen',
    tabIndex: shown === (current ?? AGENT) ? 0 : -1,
    onClick: () => onChoose(idOf(shown)),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, shown),
    className: `flex max-w-40 shrink-0 items-center gap-1.5 truncate rounded-md px-2 py-0.5 ${shown === current ? 'bg-selected text-ink' : 'text-soft hover:bg-hover'}`,
  })
  return (
    <div className="flex h-9 shrink-0 items-center gap-1 border-line border-b px-1">
      <div
        ref={ref}
        role="tablist"
        aria-label={t('terminals')}
        className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto fade-scroll"
      >
        <button {...tabProps(AGENT)}>
          <Bot size={13} aria-hidden />
          {t('agentShell')}
        </button>
        {terminals.map(terminal =>
          renamed === terminal.id ? (
            <NameField
              key={terminal.id}
              name={terminal.name}
              onDone={name => {
                setRenamed(null)
                if (name && name !== terminal.name) onRename(terminal, name)
              }}
            />
          ) : (
            <button key={terminal.id} {...tabProps(terminal)} onDoubleClick={() => setRenamed(terminal.id)}>
              <span className="min-w-0 truncate">{terminal.name}</span>
              {terminal.status === 'ended' && <span className="text-faint"> · {t('endedMark')}</span>}
            </button>
          ),
        )}
      </div>
      {current && current !== AGENT && (
        <IconButton
          size="small"
          label={t('closeName', { name: current.name })}
          shortcut="Mod+Shift+W"
          icon={<X size={14} aria-hidden />}
          onClick={() => onClose(current)}
        />
      )}
      {current && (
        <IconButton
          size="small"
          label={t('newTerminal')}
          shortcut="Mod+Shift+T"
          icon={<Plus size={14} aria-hidden />}
          busy={newBusy}
          disabledReason={whyNoNew}
          onClick={onNew}
        />
      )}
    </div>
  )
}

/** Enter and leaving it keep the name, Esc does not. */
function NameField({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the tab that was renamed
      autoFocus
      aria-label={t('nameOf', { name })}
      defaultValue={name}
      maxLength={60}
      onFocus={event => event.currentTarget.select()}
      onBlur={event => onDone(event.currentTarget.value.trim())}
      onKeyDown={event => {
        if (event.key === 'Enter') onDone(event.currentTarget.value.trim())
        if (event.key === 'Escape') onDone(null)
      }}
      className="control h-6 w-32"
    />
  )
}
