import type { UpdateRelease, UpdateState } from '../../../../electron/ipc.ts'
import { changeUpdates } from '../../../api/system/updates.ts'
import { ExternalLink } from '../../../components/ExternalLink.tsx'
import { formatBytes, formatMoment } from '../../../state/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { t } from './text.ts'

type WithRelease = Extract<UpdateState, { release: UpdateRelease }>

/** A version that is not the one that runs: what it brings, and how far it is on its way. */
export function ReleaseView({ state }: { state: WithRelease }) {
  const { release } = state
  return (
    <section aria-label={titleOf(state)} className="flex flex-col gap-3 rounded-md border border-line p-3">
      <div>
        <h4 role="status" className="font-medium">
          {titleOf(state)}
        </h4>
        <p className="text-sm text-faint">{t('released', { moment: formatMoment(Date.parse(release.date)) })}</p>
      </div>
      {release.isOlder || release.notes.trim() === '' ? null : <Notes text={release.notes} />}
      <Progression state={state} />
    </section>
  )
}

function titleOf({ kind, release: { version, isOlder } }: WithRelease): string {
  if (kind === 'ready') return isOlder ? t('olderIsReady', { version }) : t('ready', { version })
  if (kind === 'downloading') return t('downloading', { version })
  return isOlder ? t('wasBefore', { version }) : t('isAvailable', { version })
}

/** As it was written: nothing in it becomes a link, a picture or a heading. */
function Notes({ text }: { text: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard
      tabIndex={0}
      aria-label={t('whatIsNew')}
      className="max-h-60 overflow-y-auto rounded-sm bg-sunken p-2"
    >
      <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
    </section>
  )
}

function Progression({ state }: { state: WithRelease }) {
  const { release } = state
  if (release.manual) return <ByHand manual={release.manual} />
  if (state.kind === 'available') {
    return (
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={() => changeUpdates('download')}>
          {t('downloadOf', { bytes: formatBytes(release.bytes) })}
        </Button>
        <Button onClick={() => changeUpdates('check')}>{t('checkNow')}</Button>
      </div>
    )
  }
  if (state.kind === 'downloading') {
    const { receivedBytes } = state
    return (
      <div className="flex items-center gap-3">
        <Progress
          label={t('downloading', { version: release.version })}
          value={{ done: receivedBytes, total: release.bytes }}
          className="min-w-0 flex-1"
        />
        <p className="text-sm whitespace-nowrap text-faint tabular">
          {t('downloaded', { received: formatBytes(receivedBytes), total: formatBytes(release.bytes) })}
        </p>
        <Button onClick={() => changeUpdates('cancel')}>{t('cancel')}</Button>
      </div>
    )
  }
  if (state.kind === 'installing') {
    return (
      <p role="status" className="flex items-center gap-2 text-soft">
        <Spinner />
        {t('installing', { version: release.version })}
      </p>
    )
  }
  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-soft">{t('willBeInstalled')}</p>
      <Button look="primary" onClick={() => changeUpdates('install')}>
        {t('restartAndInstall')}
      </Button>
      <p className="text-sm text-faint">{t('restartAsks')}</p>
    </div>
  )
}

function ByHand({ manual: { url, sha512 } }: { manual: NonNullable<UpdateRelease['manual']> }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-soft">{t('installsByHand')}</p>
      <p className="wrap-anywhere">
        <ExternalLink href={url}>{url}</ExternalLink>
      </p>
      <p className="flex items-start gap-2 text-sm">
        <span className="text-faint">{t('checkByHand')}</span>
        <code className="min-w-0 wrap-anywhere">{sha512}</code>
        <CopyButton text={sha512} />
      </p>
    </div>
  )
}
