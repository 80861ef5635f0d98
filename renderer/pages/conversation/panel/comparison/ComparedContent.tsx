import { useQuery } from '@tanstack/react-query'
import type { ComparedFile } from '../../../../../server/api/v1/conversation/comparisons.ts'
import { comparedFileQuery } from '../../../../api/checkpoints.ts'
import { useClient } from '../../../../api/session.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { ComparedDiff } from './ComparedDiff.tsx'
import { ComparedImages } from './ComparedImages.tsx'
import { Change, FilePath, Modes } from './ComparedList.tsx'
import { t } from './text.ts'
import type { Comparing, ShownSides } from './use-comparison.ts'

interface Props {
  comparing: Comparing
  file: ComparedFile
  isSplit: boolean
}

/** One file as both have it, or what one of them has changed in it. */
export function ComparedContent({ comparing, file, isSplit }: Props) {
  const { pair, sides } = comparing
  const { data, error, refetch, isFetching } = useQuery(
    comparedFileQuery(useClient(), pair, { path: file.path, version: file.version, sides }),
  )
  return (
    <>
      <FileBar comparing={comparing} file={file} />
      {error && !data ? (
        <div className="p-4">
          <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      ) : !data ? (
        <Skeleton label={t('comparing')} lines={6} className="p-4" />
      ) : data.original?.image || data.modified?.image ? (
        <ComparedImages sides={sides} before={data.original} after={data.modified} />
      ) : (
        <Texts
          file={file}
          before={data.original ? data.original.text : ''}
          after={data.modified ? data.modified.text : ''}
          isMissing={data.original === null && data.modified === null}
          isSplit={isSplit}
        />
      )}
    </>
  )
}

interface TextsProps {
  file: ComparedFile
  before: string | null
  after: string | null
  isMissing: boolean
  isSplit: boolean
}

function Texts({ file, before, after, isMissing, isSplit }: TextsProps) {
  if (before === null || after === null) return <p className="p-4 text-soft">{t('binaryFile')}</p>
  if (isMissing || before === after) return <p className="p-4 text-soft">{t('noLineDiffers')}</p>
  return <ComparedDiff path={file.path} before={before} after={after} isSplit={isSplit} />
}

const WAYS: readonly { value: ShownSides; label: string }[] = [
  { value: 'both', label: t('aAgainstB') },
  { value: 'here', label: t('whatAChanged') },
  { value: 'there', label: t('whatBChanged') },
]

function FileBar({ comparing: { sides, setSides, list }, file }: Pick<Props, 'comparing' | 'file'>) {
  const reasons = { both: null, here: file.here ? null : t('aLeftIt'), there: file.there ? null : t('bLeftIt') }
  return (
    <div className="sticky start-0 top-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-1.5 border-line border-b bg-canvas px-3 py-1.5">
      <h2 className="min-w-0 flex-1 basis-48 break-all font-mono text-sm">
        <FilePath file={file} />
      </h2>
      <span className="flex flex-wrap gap-x-3 text-sm tabular">
        <Change letter="A" change={file.here} />
        <Change letter="B" change={file.there} />
        <Modes file={file} />
      </span>
      {list.data?.has_common_files ? (
        <fieldset aria-label={t('whatIsShown')} className="flex flex-wrap gap-1">
          {WAYS.map(({ value, label }) => (
            <Button
              key={value}
              size="small"
              className="aria-pressed:border-accent aria-pressed:bg-accent-wash"
              aria-pressed={sides === value}
              disabledReason={reasons[value]}
              onClick={() => setSides(value)}
            >
              {label}
            </Button>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}
