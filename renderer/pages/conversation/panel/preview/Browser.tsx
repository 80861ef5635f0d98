import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { keys } from '../../../../api/query-keys.ts'
import { shownAddress } from '../../../../state/preview/address.ts'
import { usePreference } from '../../../../state/settings/preference.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice, Notice } from '../../../../ui/ErrorNotice.tsx'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { useOpenConversation } from '../../context.ts'
import { BrowserBar } from './BrowserBar.tsx'
import { ConsoleList } from './ConsoleList.tsx'
import { SendPicture } from './SendPicture.tsx'
import { t } from './text.ts'
import { type Guest, useGuest } from './use-guest.ts'
import { useWidth, WIDTHS, type Width } from './width.ts'

interface BrowserProps {
  address: string
  /** Another number asks for the address again, whichever is shown. */
  asked: number
  onAddress: (address: string) => void
  onClose: () => void
}

/** A page in the network of the sandbox, in a session of its own that has no right to anything of this computer. */
export function Browser(props: BrowserProps) {
  const { info } = useOpenConversation()
  const partition = useQuery({
    queryKey: keys.previewPartition(info.sandbox_id),
    queryFn: () => window.atelier?.openPreview(info.sandbox_id) ?? null,
    // The proxy is another one once the API has another key.
    staleTime: 0,
    retry: false,
  })
  if (partition.data) return <GuestPage {...props} partition={partition.data} prepare={partition.refetch} />
  if (partition.isPending) return <Skeleton label={t('opening')} className="p-3" />
  return (
    <div className="p-3">
      <ErrorNotice error={partition.error} onRetry={() => void partition.refetch()} retrying={partition.isFetching} />
    </div>
  )
}

interface GuestPageProps extends BrowserProps {
  partition: string
  /** The proxy may be served at another port than before. */
  prepare: () => Promise<unknown>
}

function GuestPage({ address, asked, onAddress, onClose, partition, prepare }: GuestPageProps) {
  const [at, setAt] = useState(address)
  const [chosen, setWidth] = usePreference('preview.width', 'fill')
  const [consoleShown, setConsole] = usePreference('preview.console', 'folded')
  const [picture, setPicture] = useState<string | null>(null)
  const width: Width = WIDTHS.find(({ name }) => name === chosen)?.name ?? 'fill'
  const [life, setLife] = useState({ number: 0, start: address })
  const guest = useGuest({
    onUrl: url => {
      setAt(url)
      onAddress(url)
    },
    onLost: start => setLife({ number: life.number + 1, start }),
  })
  const frame = useWidth(width, guest.zoom)
  const [first] = useState(asked)
  const follow = useEffectEvent(() => {
    if (asked !== first) guest.go(address)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked for is gone to, whatever else changes
  useEffect(follow, [asked])
  useEffect(() => window.atelier?.onPreviewDownload(name => notifyDone(t('notDownloaded', { name }))), [])
  return (
    <div className="flex h-full min-h-0 flex-col">
      <BrowserBar
        guest={guest}
        at={at}
        width={width}
        onWidth={setWidth}
        consoleShown={consoleShown === 'shown'}
        onConsole={() => setConsole(consoleShown === 'shown' ? 'folded' : 'shown')}
        onPicture={setPicture}
        onClose={onClose}
      />
      <Failure failure={guest.failure} at={at} onRetry={address => void prepare().then(() => guest.go(address))} />
      <section
        ref={frame.attach}
        aria-label={t('pageAt', { address: shownAddress(at) })}
        className="flex min-h-0 flex-1 justify-center overflow-hidden bg-sunken"
      >
        {(guest.failure === null || guest.failure.kind === 'load') && (
          <GuestElement
            key={life.number}
            attach={guest.attach}
            start={life.start}
            partition={partition}
            width={frame.width}
          />
        )}
      </section>
      {consoleShown === 'shown' && <ConsoleList messages={guest.messages} onClear={guest.clearMessages} />}
      {picture !== null && (
        <SendPicture picture={picture} address={at} messages={guest.messages} onClose={() => setPicture(null)} />
      )}
    </div>
  )
}

interface GuestElementProps {
  attach: Guest['attach']
  /** The address that it begins with. */
  start: string
  partition: string
  width: string
}

/** One that has crashed is taken away: Chromium ends the whole app when it is asked for anything. */
function GuestElement({ attach, start, partition, width }: GuestElementProps) {
  return (
    <webview
      ref={attach}
      src={start}
      partition={partition}
      style={{ width, background: 'white' }}
      className="flex h-full"
      {...POPUPS}
    />
  )
}

/** Pages may ask for other windows; the desktop opens them in this one. React knows no such attribute. */
const POPUPS = { allowpopups: 'true' } as object

interface FailureProps {
  failure: Guest['failure']
  at: string
  onRetry: (address: string) => void
}

function Failure({ failure, at, onRetry }: FailureProps) {
  if (!failure) return null
  const { what, meaning, address } = wordsFor(failure, at)
  return (
    <div className="p-3">
      <Notice what={what} meaning={meaning}>
        <Button size="small" onClick={() => onRetry(address)}>
          {t('loadAgain')}
        </Button>
      </Notice>
    </div>
  )
}

function wordsFor(failure: NonNullable<Guest['failure']>, at: string) {
  switch (failure.kind) {
    case 'crash':
      return { what: t('pageCrashed'), address: at }
    case 'stopped':
      return { what: t('pageStopped'), address: at }
    case 'load':
      return {
        what: t('pageNotLoaded', { address: shownAddress(failure.url) }),
        meaning: failure.text,
        address: failure.url,
      }
  }
}
