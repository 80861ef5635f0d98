import { X } from 'lucide-react'
import type { AllowedKind } from '../../../../../server/api/v1/conversation/confirmation.ts'
import { Button } from '../../../../ui/Button.tsx'
import { t } from '../text.ts'

export interface AllowedKindsProps {
  kinds: readonly AllowedKind[]
  /** Id of the one that is being taken back. */
  taking: string | null
  onTake: (kind: AllowedKind) => void
}

/** What does not wait any more because the person said "always", and the way back. */
export function AllowedKinds({ kinds, taking, onTake }: AllowedKindsProps) {
  if (kinds.length === 0) return null
  return (
    <>
      <h3 className="mt-2 text-faint text-sm">{t('alwaysAllowedHere')}</h3>
      <ul aria-label={t('alwaysAllowedHere')}>
        {kinds.map(kind => (
          <li key={kind.id} className="flex items-start justify-between gap-2 py-0.5">
            <span className="min-w-0 text-soft [overflow-wrap:anywhere]">{kind.text}</span>
            <Button
              look="quiet"
              size="small"
              aria-label={t('askAgainAbout', { text: kind.text })}
              title={t('askAgain')}
              busy={taking === kind.id}
              onClick={() => onTake(kind)}
            >
              <X size={13} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
