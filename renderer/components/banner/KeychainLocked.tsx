import { useQuery } from '@tanstack/react-query'
import { systemQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { useRecheck } from '../../api/settings.ts'
import { KEYCHAIN_PROBLEMS } from '../../state/keychain-words.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { UnlockKeychain } from './UnlockKeychain.tsx'

/** In the place of what the keychain holds, while that cannot be read: nobody knows whether there is anything. */
export function KeychainLocked() {
  const { data: system } = useQuery(systemQuery(useClient()))
  const recheck = useRecheck()
  const state = system?.keychain.state ?? 'locked'
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-2">
      <Badge tone="wait">{KEYCHAIN_PROBLEMS[state === 'ready' ? 'locked' : state].replace(/\.$/, '')}</Badge>
      {state === 'locked' && <UnlockKeychain look="secondary" />}
      <Button size="small" busy={recheck.isPending} onClick={() => recheck.mutate()}>
        {t('tryAgain')}
      </Button>
    </div>
  )
}
