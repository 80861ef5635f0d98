import { Link } from '@tanstack/react-router'
import { PackageCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { changeUpdates, useUpdates } from '../../api/system/updates.ts'
import { translator } from '../../language/translator.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { Banner } from './Banner.tsx'

const words = translator('settingsUpdates')

/** Asks once whether updates may be looked for, and says once of each that it is there. */
export function UpdateBanner() {
  const updates = useUpdates()
  const [read, setRead] = usePreference('update-notice', '')
  if (!updates || updates.state.kind === 'unavailable') return null
  if (updates.allowed === null) {
    return (
      <UpdateNotice what={words('mayAtelierLook')} meaning={words('onlyTheRequest')}>
        <Button size="small" onClick={() => changeUpdates('allow')}>
          {words('allow')}
        </Button>
        <Button size="small" look="quiet" onClick={() => changeUpdates('forbid')}>
          {words('doNotLook')}
        </Button>
      </UpdateNotice>
    )
  }
  if (updates.state.kind !== 'available') return null
  const { version, isOlder } = updates.state.release
  if (isOlder || read === version) return null
  return (
    <UpdateNotice what={words('isAvailable', { version })} meaning="">
      <Link
        to="/settings/$section"
        params={{ section: 'about' }}
        className={buttonClass('secondary', 'small')}
        onClick={() => setRead(version)}
      >
        {words('seeUpdate')}
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
