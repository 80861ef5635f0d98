import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DatabaseBackup } from 'lucide-react'
import { useClient } from '../../api/session.ts'
import { storageQuery } from '../../api/storage.ts'
import { useNow } from '../../state/clock.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { isRecent, STORAGE_NOTICES } from '../../state/storage/words.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { Banner } from './Banner.tsx'

/** What became of the database, until the person has read it. Settings › Storage keeps it. */
export function StorageNoticeBanner() {
  const { data: storage } = useQuery(storageQuery(useClient()))
  const [read, setRead] = usePreference('storage-notice', '')
  const now = useNow(60_000)
  const notice = storage?.notice
  if (!notice || read === notice.at || !isRecent(notice, now)) return null
  return (
    <Banner icon={DatabaseBackup} tone="wait" what={STORAGE_NOTICES[notice.kind]} meaning={notice.message}>
      <Link to="/settings/$section" params={{ section: 'storage' }} className={buttonClass('secondary', 'small')}>
        {t('details')}
      </Link>
      <Button size="small" look="quiet" onClick={() => setRead(notice.at)}>
        {t('dismiss')}
      </Button>
    </Banner>
  )
}
