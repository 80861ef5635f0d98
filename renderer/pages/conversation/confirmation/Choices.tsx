import { Button } from '../../../ui/Button.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { t } from '../text.ts'

export interface ChoicesProps {
  several: boolean
  busy: boolean
  /** false for what a person is asked about every time. */
  canAlwaysAllow: boolean
  onAccept: (always: boolean) => void
  onReject: () => void
}

/** Yes, no with a reason, or yes from now on; each with its key. */
export function Choices({ several, busy, canAlwaysAllow, onAccept, onReject }: ChoicesProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button look="primary" busy={busy} onClick={() => onAccept(false)}>
        {several ? t('acceptAll') : t('accept')}
        <KeyHint keys="Enter" />
      </Button>
      <Button onClick={onReject}>
        {t('rejectWithReason')}
        <Kbd keys="R" />
      </Button>
      {canAlwaysAllow && (
        <Button look="quiet" title={t('doNotAskAgain')} onClick={() => onAccept(true)}>
          {several ? t('alwaysAllowAll') : t('alwaysAllowOne')}
          <Kbd keys="A" />
        </Button>
      )}
      <span className="ms-auto text-faint text-xs">{t.rich('keyToFocus', { key: () => <Kbd keys="F7" /> })}</span>
    </div>
  )
}

/** On the accent's ground the usual key would not be read. */
function KeyHint({ keys }: { keys: string }) {
  return <kbd className="rounded-sm border border-on-accent px-1 font-sans text-xs leading-[14px]">{keys}</kbd>
}
