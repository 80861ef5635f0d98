import { ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type Ref, useState } from 'react'
import { t } from './text.ts'

/** Of each conversation, the newest first. In memory alone: a command can hold a secret. */
const commandsOf = new Map<string, readonly string[]>()
const MAX_COMMANDS = 100

interface CommandLineProps {
  conversation: string
  ref: Ref<HTMLInputElement>
  disabled: boolean
  onRun: (command: string) => void
}

/** A line for a command. Enter runs it; the arrow keys bring back those from before. */
export function CommandLine({ conversation, ref, disabled, onRun }: CommandLineProps) {
  const [command, setCommand] = useState('')
  /** How far back; 0 is the new line. */
  const [back, setBack] = useState(0)

  const before = () => commandsOf.get(conversation) ?? []
  function run() {
    const given = command.trim()
    if (given === '') return
    onRun(given)
    const others = before().filter(each => each !== given)
    commandsOf.set(conversation, [given, ...others].slice(0, MAX_COMMANDS))
    setCommand('')
    setBack(0)
  }
  function recall(by: number) {
    const next = Math.min(before().length, Math.max(0, back + by))
    setBack(next)
    setCommand(next === 0 ? '' : (before()[next - 1] ?? ''))
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') run()
    else if (event.key === 'ArrowUp') recall(1)
    else if (event.key === 'ArrowDown') recall(-1)
    else return
    event.preventDefault()
  }
  return (
    <div className="flex h-9 shrink-0 items-center gap-1.5 border-line border-t px-2">
      <ChevronRight size={14} aria-hidden className="shrink-0 text-faint" />
      <input
        ref={ref}
        aria-label={t('commandLine')}
        placeholder={t('commandPlaceholder')}
        value={command}
        readOnly={disabled}
        aria-disabled={disabled}
        spellCheck={false}
        autoComplete="off"
        maxLength={20_000}
        onChange={event => setCommand(event.target.value)}
        onKeyDown={disabled ? undefined : onKeyDown}
        className="control h-7 min-w-0 flex-1 border-transparent bg-transparent font-mono aria-disabled:opacity-55"
      />
    </div>
  )
}
