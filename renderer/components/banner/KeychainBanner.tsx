import { KeyRound } from 'lucide-react'
import type { KeychainStatus } from '../../../server/api/v1/system/system.ts'
import { useRecheck } from '../../api/settings.ts'
import { KEY_STORAGE, KEYCHAIN_PROBLEMS } from '../../state/keychain-words.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { Button } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { Banner } from './Banner.tsx'
import { UnlockKeychain } from './UnlockKeychain.tsx'

export function KeychainBanner({ keychain }: { keychain: KeychainStatus }) {
  const [dismissed, dismiss] = usePreference('keychain-notice', '', sessionStorage)
  const recheck = useRecheck()
  const { state, storage } = keychain
  if (state === 'ready' || dismissed === state) return null
  return (
    <Banner icon={KeyRound} tone="wait" what={KEYCHAIN_PROBLEMS[state]} meaning={KEY_STORAGE[storage]}>
      {state === 'locked' && <UnlockKeychain />}
      <Button size="small" busy={recheck.isPending} onClick={() => recheck.mutate()}>
        {t('checkAgain')}
      </Button>
      <Button size="small" look="quiet" onClick={() => dismiss(state)}>
        {t('hide')}
      </Button>
    </Banner>
  )
}
