import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { HeartCrack } from 'lucide-react'
import { DEFAULT_ENGINE } from '../../../server/api/v1/system/engines.ts'
import { useClient } from '../../api/session.ts'
import { checkQuery } from '../../api/system/diagnosis.ts'
import { useNow } from '../../state/clock.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { Banner } from './Banner.tsx'

const NEWS_MS = 3_600_000

/** That the service was restarted after a crash, until the person has read it. The diagnosis keeps it for longer. */
export function CrashBanner() {
  const { data: found } = useQuery(checkQuery(useClient(), 'crashes', DEFAULT_ENGINE))
  const [read, setRead] = usePreference('crash-notice', '')
  const now = useNow(60_000)
  const fact = (name: string) => String(found?.facts.find(each => each.name === name)?.value ?? '')
  const [path, at] = [fact('report'), fact('crashed_at')]
  if (found?.finding !== 'crashes_found' || read === at || now - Date.parse(at) > NEWS_MS) return null
  return (
    <Banner icon={HeartCrack} tone="bad" what={t('serviceCrashed')} meaning={t('agentsWereStopped', { path })}>
      <Link to="/settings/$section" params={{ section: 'about' }} className={buttonClass('secondary', 'small')}>
        {t('details')}
      </Link>
      <Button size="small" look="quiet" onClick={() => setRead(at)}>
        {t('dismiss')}
      </Button>
    </Banner>
  )
}
