import { ArrowUp, ListPlus, OctagonPause } from 'lucide-react'
import { memo } from 'react'
import { AttachButton } from '../../../components/attaching/AttachButton.tsx'
import { IconButton } from '../../../ui/Button.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { ModelButton } from '../header/ModelMenu.tsx'
import { t } from '../text.ts'
import { ModeButton } from './ModeButton.tsx'
import type { RunPhase } from './run-rules.ts'
import type { When } from './use-send.ts'

export interface ComposerBarProps {
  working: boolean
  phase: RunPhase
  /** Why nothing can be sent now. */
  reason: string | null
  busy: boolean
  onSubmit: (when: When) => void
  onFiles: (files: readonly File[]) => void
}

/** Below the text: who answers it, the keys, and the ways to send. A key that is written does not render it again. */
export const ComposerBar = memo(function ComposerBar(props: ComposerBarProps) {
  const { working, phase, reason, busy, onSubmit, onFiles } = props
  return (
    <div className="flex items-center justify-between gap-2 px-2 pb-1.5">
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <AttachButton label={t('attachFiles')} fieldLabel={t('attachedFiles')} onFiles={onFiles} />
        <ModelButton />
        <ModeButton />
        <Hints working={working} />
      </div>
      <div className="flex items-center gap-1">
        {working && (
          <IconButton
            label={t('stopAndSend')}
            shortcut="Mod+Enter"
            icon={<OctagonPause size={15} aria-hidden />}
            disabledReason={reason}
            onClick={() => onSubmit('stopped')}
          />
        )}
        {phase !== 'resting' && (
          <IconButton
            label={t('sendWhenFinished')}
            shortcut="Alt+Enter"
            icon={<ListPlus size={15} aria-hidden />}
            disabledReason={reason}
            onClick={() => onSubmit('finished')}
          />
        )}
        <IconButton
          look="primary"
          label={t('send')}
          shortcut="Enter"
          icon={<ArrowUp size={15} aria-hidden />}
          busy={busy}
          disabledReason={reason}
          onClick={() => onSubmit('now')}
        />
      </div>
    </div>
  )
})

function Hints({ working }: { working: boolean }) {
  return (
    // What has no room stands in a line that is not seen.
    <p className="flex h-5 min-w-0 flex-1 flex-wrap items-center gap-x-3 overflow-hidden whitespace-nowrap text-faint text-xs leading-5">
      <span>{t.rich('keyToSend', { key: () => <Kbd keys="Enter" /> })}</span>
      <span>{t.rich('keyForNewLine', { key: () => <Kbd keys="Shift+Enter" /> })}</span>
      {working && <span>{t.rich('keyToPause', { key: () => <Kbd keys="Esc" /> })}</span>}
    </p>
  )
}
