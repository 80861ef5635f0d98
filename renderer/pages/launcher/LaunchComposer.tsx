import type { KeyboardEvent, ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { Textarea } from '../../ui/Textarea.tsx'

export interface LaunchComposerProps {
  text: string
  onTextChange: (text: string) => void
  onLaunch: () => void
  disabledReason: string | null
  busy: boolean
  /** The chips below the text. */
  children: ReactNode
}

/** One card: what should be done, with what, and the start. */
export function LaunchComposer({ text, onTextChange, onLaunch, disabledReason, busy, children }: LaunchComposerProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    onLaunch()
  }
  return (
    <form
      aria-label="New conversation"
      className="rounded-lg border border-edge bg-raised focus-within:border-accent"
      onKeyDown={onKeyDown}
      onSubmit={event => {
        event.preventDefault()
        onLaunch()
      }}
    >
      <div className="px-4 pt-3">
        <Textarea
          bare
          autoFocus
          aria-label="What should be done"
          placeholder="Describe the task: what is wrong or wanted, and how you will see that it is done."
          value={text}
          onValueChange={onTextChange}
        />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-2 px-3 pt-1 pb-3">
        <div className="flex min-w-0 flex-1 basis-96 flex-wrap gap-1">{children}</div>
        <div className="ml-auto flex items-center gap-2.5">
          <Kbd keys="Mod+Enter" />
          <Button type="submit" look="primary" busy={busy} disabledReason={disabledReason}>
            Start
          </Button>
        </div>
      </div>
    </form>
  )
}
