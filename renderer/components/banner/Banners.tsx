import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CloudOff, Unplug } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { recheckQuery, systemQuery } from '../../api/queries.ts'
import { useClient, useSession } from '../../api/session.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { Banner } from './Banner.tsx'
import { CrashBanner } from './CrashBanner.tsx'
import { DiskBanner } from './DiskBanner.tsx'
import { KeychainBanner } from './KeychainBanner.tsx'
import { StorageNoticeBanner } from './StorageNoticeBanner.tsx'
import { UpdateBanner } from './UpdateBanner.tsx'

/** What concerns the whole window, above every page. `engine` false: the page itself tells about the engine. */
export function Banners({ engine = true }: { engine?: boolean }) {
  const { data: system } = useQuery(systemQuery(useClient()))
  const { updates } = useSession()
  const connection = useSyncExternalStore(updates.subscribe, updates.state)
  if (connection === 'lost') return <ConnectionBanner onReconnect={updates.open} />
  return (
    <>
      {engine && system?.engine.state === 'unavailable' ? <EngineBanner reason={system.engine.reason} /> : null}
      {system ? <DiskBanner disk={system.disk} engineDisk={system.engine_disk} /> : null}
      {system && system.keychain.state !== 'ready' ? <KeychainBanner keychain={system.keychain} /> : null}
      <StorageNoticeBanner />
      <CrashBanner />
      <UpdateBanner />
    </>
  )
}

function ConnectionBanner({ onReconnect }: { onReconnect: () => void }) {
  return (
    <Banner icon={CloudOff} tone="bad" what={t('connectionToServiceIsLost')} meaning={t('reconnectingWhatYouSee')}>
      <Button size="small" onClick={onReconnect}>
        {t('reconnectNow')}
      </Button>
    </Banner>
  )
}

/** Rechecks by itself for as long as it shows. */
function EngineBanner({ reason }: { reason: string }) {
  const recheck = useQuery(recheckQuery(useClient(), useQueryClient()))
  return (
    <Banner icon={Unplug} tone="bad" what={reason} meaning={t('sandboxesNeedEngine')}>
      <Button size="small" busy={recheck.isFetching} onClick={() => void recheck.refetch()}>
        {t('checkAgain')}
      </Button>
      <Link to="/settings/$section" params={{ section: 'about' }} className={buttonClass('secondary', 'small')}>
        {t('whatToDo')}
      </Link>
    </Banner>
  )
}
