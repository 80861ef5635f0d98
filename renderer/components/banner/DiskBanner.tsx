import { Link } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import type { DiskStatus } from '../../../server/api/v1/system/storage.ts'
import { diskWarning } from '../../state/notice/disk-warning.ts'
import { usePreference } from '../../state/settings/preference.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { t } from '../text.ts'
import { Banner } from './Banner.tsx'

export interface DiskBannerProps {
  disk: DiskStatus | null
  engineDisk: DiskStatus | null
}

/** Whoever frees space elsewhere sees it go by itself. A full disk cannot be hidden. */
export function DiskBanner({ disk, engineDisk }: DiskBannerProps) {
  const [hidden, hide] = usePreference('disk-notice', '', sessionStorage)
  const warning = diskWarning(disk, engineDisk)
  if (!warning || hidden === warning.id) return null
  return (
    <Banner icon={HardDrive} tone={warning.tone} what={warning.what} meaning={warning.meaning}>
      <Link to="/settings/$section" params={{ section: 'storage' }} className={buttonClass('secondary', 'small')}>
        {t('freeUpSpace')}
      </Link>
      {warning.tone === 'wait' ? (
        <Button size="small" look="quiet" onClick={() => hide(warning.id)}>
          {t('hide')}
        </Button>
      ) : null}
    </Banner>
  )
}
