import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import { useSession } from '../../../api/session.ts'
import { thirdPartyNoticesQuery } from '../../../api/system/notices.ts'
import { noticesNamed, type PackageNotice } from '../../../state/third-party-notices.ts'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Input } from '../../../ui/field/Input.tsx'
import { FullDialog } from '../../../ui/overlay/FullDialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { t } from './text.ts'

/** The licences of the packages that the app carries. */
export function NoticesDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const { data, error, refetch, isFetching } = useQuery(thirdPartyNoticesQuery(useSession().url))
  const shown = data ? noticesNamed(data, name) : []
  const toolbar = (
    <>
      <Input
        type="search"
        aria-label={t('filterPackages')}
        placeholder={t('filterPackages')}
        value={name}
        onValueChange={setName}
        className="w-56 max-narrow:w-full"
      />
      <p role="status" className="text-soft text-sm">
        {data ? t('packageCount', { count: shown.length }) : null}
      </p>
    </>
  )
  return (
    <FullDialog title={t('thirdPartyNotices')} onClose={onClose} toolbar={toolbar} onKeyDown={() => {}}>
      {error && !data ? (
        <div className="max-w-160 p-4">
          <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      ) : null}
      {!error && !data ? <Skeleton label={t('loadingNotices')} lines={8} className="p-4" /> : null}
      {data && shown.length === 0 ? <p className="p-4 text-faint">{t('noPackageNamed')}</p> : null}
      {shown.length > 0 ? (
        <Virtuoso
          // What is found is shown from its start.
          key={name}
          role="region"
          aria-label={t('thirdPartyNotices')}
          tabIndex={0}
          className="min-h-0 flex-1 outline-offset-[-2px]"
          data={shown}
          computeItemKey={(_, notice) => `${notice.name} ${notice.version}`}
          itemContent={(_, notice) => <Package notice={notice} />}
        />
      ) : null}
    </FullDialog>
  )
}

function Package({ notice: { name, version, license, text } }: { notice: PackageNotice }) {
  return (
    <article dir="ltr" className="border-line border-b px-4 py-3">
      <h3 className="wrap-anywhere font-medium">
        {name} {version} <span className="font-normal text-soft">{license}</span>
      </h3>
      {text ? (
        <pre className="mt-1 max-w-200 whitespace-pre-wrap wrap-anywhere font-mono text-xs">{text}</pre>
      ) : (
        <p dir="auto" className="mt-1 text-faint text-sm">
          {t('noLicenceFile')}
        </p>
      )}
    </article>
  )
}
