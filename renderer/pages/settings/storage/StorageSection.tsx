import { useQuery } from '@tanstack/react-query'
import type { StorageNotice } from '../../../../server/api/v1/system/storage.ts'
import { useClient } from '../../../api/session.ts'
import { storageQuery } from '../../../api/storage.ts'
import { count, formatMoment } from '../../../state/format.ts'
import { ErrorNotice, Notice } from '../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Group } from '../form/Group.tsx'
import { Place } from '../form/Place.tsx'
import { BackupList } from './BackupList.tsx'
import { Disks } from './Disks.tsx'
import { FreeSpace } from './FreeSpace.tsx'
import { SandboxSizes } from './SandboxSizes.tsx'

export function StorageSection() {
  const { data: storage, error, refetch, isFetching } = useQuery(storageQuery(useClient()))
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!storage) return <Skeleton label="Loading the storage" lines={6} />
  const { notice, damaged_rows: damaged } = storage
  return (
    <>
      {damaged > 0 ? (
        <Notice
          tone="wait"
          what={`${count(damaged, 'stored entry', 'stored entries')} cannot be read.`}
          meaning="Everything beside them is shown. A backup from before may still have them."
        />
      ) : null}
      <Disks disk={storage.disk} />
      <Group title="Free up space">
        <Place name="disk_space">
          <FreeSpace storage={storage} />
        </Place>
      </Group>
      <Group
        title="Sandboxes"
        about="What each sandbox has written, the largest first. A sandbox holds the files of its conversation."
      >
        <Place name="sandbox_sizes">
          <SandboxSizes />
        </Place>
      </Group>
      <Group
        title="Backups"
        about="Copies of the database: conversations, settings and the names of secrets. One is made each day while Atelier is in use, and before an update changes the database."
      >
        {notice ? <Past notice={notice} /> : null}
        <Place name="backups">
          <BackupList storage={storage} />
        </Place>
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
          The database from before: <span className="font-mono wrap-anywhere">{notice.kept_in}</span>
        </p>
      ) : null}
    </div>
  )
}
