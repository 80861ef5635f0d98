import { LockKeyholeOpen } from 'lucide-react'
import { useUnlockKeychain } from '../../api/settings.ts'
import { Button } from '../../ui/Button.tsx'
import { notifyError } from '../../ui/overlay/toast.ts'
import { t } from '../text.ts'

/** Opens the desktop's own prompt. Where none can be opened, or it was dismissed, that is said. */
export function UnlockKeychain({ look = 'primary' }: { look?: 'primary' | 'secondary' }) {
  const unlock = useUnlockKeychain()
  const still = unlock.data?.keychain.state === 'locked'
  return (
    <>
      <Button
        size="small"
        look={look}
        icon={<LockKeyholeOpen size={12} aria-hidden />}
        busy={unlock.isPending}
        onClick={() => unlock.mutate(undefined, { onError: notifyError })}
      >
        {t('unlock')}
      </Button>
      <span role="status" className="self-center text-soft text-sm empty:-ms-2">
        {unlock.isPending && t('respondToSystemPrompt')}
        {still && !unlock.isPending && t('stillLocked')}
      </span>
    </>
  )
}
