import { Sparkles } from 'lucide-react'
import { Button } from '../../../../ui/Button.tsx'
import { t } from '../text.ts'

interface Props {
  busy: boolean
  disabledReason: string | null
  onClick: () => void
  /** Brings back what stood there; null when the draft has replaced nothing. */
  onUndo: (() => void) | null
}

/** Lets the model write what stands below, which a person then reads. */
export function DraftButton({ busy, disabledReason, onClick, onUndo }: Props) {
  return (
    <span className="flex gap-1">
      {onUndo && (
        <Button look="quiet" size="small" onClick={onUndo}>
          {t('undo')}
        </Button>
      )}
      <Button
        look="quiet"
        size="small"
        icon={<Sparkles size={13} aria-hidden />}
        busy={busy}
        disabledReason={disabledReason}
        title={t('draftByModel')}
        onClick={onClick}
      >
        {t('draft')}
      </Button>
    </span>
  )
}
