import { Link } from '@tanstack/react-router'
import { PackageCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { changeUpdates, useUpdates } from '../../api/system/updates.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { Banner } from './Banner.tsx'

/** Asks once whether updates may be looked for, and says once of each that it is there. */
export function UpdateBanner() {
  const updates = useUpdates()
  const [read, setRead] = usePreference('update-notice', '')
  if (!updates || updates.state.kind === 'unavailable') return null
  if (updates.allowed === null) {
    return (
      <UpdateNotice what={t('mayLookForUpdates')} meaning={t('updateRequestSaysNothing')}>
        <Button size="small" onClick={() => changeUpdates('allow')}>
          {t('allowUpdates')}
        </Button>
        <Button size="small" look="quiet" onClick={() => changeUpdates('forbid')}>
          {t('noUpdates')}
        </Button>
      </UpdateNotice>
    )
  }
  if (updates.state.kind !== 'available') return null
  const { version, isOlder } = updates.state.release
  if (isOlder || read === version) return null
  return (
    <UpdateNotice what={t('updateIsAvailable', { version })} meaning="">
      <Link
        to="/settings/$section"
        params={{ section: 'about' }}
        className={buttonClass('secondary', 'small')}
        onClick={() => setRead(version)}
      >
        {t('seeWhatIsNew')}
      </Link>
      <Button size="small" look="quiet" onClick={() => setRead(version)}>
        {t('dismiss')}
      </Button>
    </UpdateNotice>
  )
}

function UpdateNotice({ what, meaning, children }: { what: string; meaning: string; children: ReactNode }) {
  return (
    <Banner icon={PackageCheck} tone="wait" what={what} meaning={meaning}>
      {children}
    </Banner>
  )
}
