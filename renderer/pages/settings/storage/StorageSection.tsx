import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DEFAULT_ENGINE } from '../../../../server/api/v1/system/engines.ts'
import type { StorageNotice } from '../../../../server/api/v1/system/storage.ts'
import { useClient } from '../../../api/session.ts'
import { storageQuery } from '../../../api/storage.ts'
import { formatMoment } from '../../../state/format.ts'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { EngineField } from '../engines/EngineField.tsx'
import type { SettingsForm } from '../form/form.ts'
import { Group } from '../form/Group.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { TransferGroup } from '../transfer/TransferGroup.tsx'
import { BackupList } from './BackupList.tsx'
import { Disks } from './Disks.tsx'
import { EraseGroup } from './EraseGroup.tsx'
import { FreeSpace } from './FreeSpace.tsx'
import { Retention } from './Retention.tsx'
import { SandboxSizes } from './SandboxSizes.tsx'
import { t } from './text.ts'

export function StorageSection({ form }: { form: SettingsForm }) {
  const [engine, setEngine] = useState('')
  const engineId = engine || DEFAULT_ENGINE
  const { data: storage, error, refetch, isFetching } = useQuery(storageQuery(useClient()))
  if (error && !storage) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!storage) return <Skeleton label={t('loadingStorage')} lines={6} />
  const { notice, damaged_rows: damaged } = storage
  return (
    <>
      {damaged > 0 ? (
        <Notice
          tone="wait"
          what={t('entriesCannotBeRead', { count: damaged })}
          meaning={t('everythingBesideThemIsShown')}
        />
      ) : null}
      <Disks disk={storage.disk} />
      <Group title={t('backups')} about={t('copiesOfDatabase')}>
        {notice ? <Past notice={notice} /> : null}
        <SettingAnchor name="backups">
          <BackupList storage={storage} />
        </SettingAnchor>
      </Group>
      <Group title={t('oldConversations')} about={t('pinnedAndWorkingStay')}>
        <Retention form={form} />
      </Group>
      <TransferGroup />
      <EraseGroup form={form} />
      {/* The engine measures these for a while, and what comes then moves nothing that is pressed meanwhile. */}
      <Group title={t('freeUpSpace')}>
        <EngineField value={engine} error={undefined} onChange={setEngine} />
        <SettingAnchor name="disk_space">
          <FreeSpace key={engineId} storage={storage} engineId={engineId} />
        </SettingAnchor>
      </Group>
      <Group title={t('sandboxes')} about={t('whatEachSandboxHasWritten')}>
        <SettingAnchor name="sandbox_sizes">
          <SandboxSizes engineId={engineId} />
        </SettingAnchor>
      </Group>
    </>
  )
}

/** What became of the database last; the banner said so when it was news. */
function Past({ notice }: { notice: StorageNotice }) {
  return (
    <div className="rounded-md bg-sunken px-3 py-2">
      <p>
        {formatMoment(Date.parse(notice.at))}: {notice.message}
      </p>
      {notice.kept_in ? (
        <p className="mt-1 text-sm text-faint">
          {t.rich('databaseFromBefore', {
            path: () => <span className="font-mono wrap-anywhere">{notice.kept_in}</span>,
          })}
        </p>
      ) : null}
    </div>
  )
}
