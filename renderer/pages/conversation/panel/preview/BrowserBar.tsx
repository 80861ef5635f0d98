import {
  ArrowLeft,
  ArrowRight,
  Camera,
  ExternalLink,
  LayoutList,
  MonitorSmartphone,
  RotateCw,
  SquareTerminal,
  X,
} from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { linkTarget } from '../../../../state/conversation/sandbox-link.ts'
import { pageAddress, shownAddress } from '../../../../state/preview/address.ts'
import { countErrors } from '../../../../state/preview/console.ts'
import { Button, IconButton } from '../../../../ui/Button.tsx'
import { Input } from '../../../../ui/field/Input.tsx'
import { Menu, MenuItem } from '../../../../ui/overlay/Menu.tsx'
import { notifyError } from '../../../../ui/overlay/toast.ts'
import { openLink } from '../../link/open-link.ts'
import { useOpenPort } from '../../link/use-open-port.ts'
import { t } from './text.ts'
import type { Guest } from './use-guest.ts'
import { WIDTHS, type Width } from './width.ts'

interface BrowserBarProps {
  guest: Guest
  /** The address that is shown. */
  at: string
  width: Width
  onWidth: (width: Width) => void
  consoleShown: boolean
  onConsole: () => void
  onPicture: (picture: string) => void
  onClose: () => void
}

/** Where the page is, and what can be done with it. */
export function BrowserBar(props: BrowserBarProps) {
  const { guest, at, width, onWidth, consoleShown, onConsole, onPicture, onClose } = props
  const [picturing, setPicturing] = useState(false)
  const errors = countErrors(guest.messages)
  async function takePicture() {
    setPicturing(true)
    await guest.picture().then(onPicture, notifyError)
    setPicturing(false)
  }
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-0.5 border-line border-b px-2 py-1">
      <IconButton size="small" label={t('allPorts')} icon={<LayoutList size={14} aria-hidden />} onClick={onClose} />
      <IconButton
        size="small"
        label={t('back')}
        icon={<ArrowLeft size={14} aria-hidden className="rtl:-scale-x-100" />}
        disabledReason={guest.canGoBack ? null : t('nothingBefore')}
        onClick={() => guest.act('goBack')}
      />
      <IconButton
        size="small"
        label={t('forward')}
        icon={<ArrowRight size={14} aria-hidden className="rtl:-scale-x-100" />}
        disabledReason={guest.canGoForward ? null : t('nothingAfter')}
        onClick={() => guest.act('goForward')}
      />
      {guest.loading ? (
        <IconButton
          size="small"
          label={t('stop')}
          icon={<X size={14} aria-hidden />}
          onClick={() => guest.act('stop')}
        />
      ) : (
        <IconButton
          size="small"
          label={t('reload')}
          icon={<RotateCw size={13} aria-hidden />}
          disabledReason={guest.isShown ? null : t('nothingShown')}
          onClick={() => guest.act('reload')}
        />
      )}
      <AddressField at={at} go={guest.go} />
      <Menu trigger={<IconButton size="small" label={t('width')} icon={<MonitorSmartphone size={14} aria-hidden />} />}>
        {WIDTHS.map(({ name, title }) => (
          <MenuItem key={name} onSelect={() => onWidth(name)}>
            <span className={name === width ? 'font-semibold' : ''}>{title}</span>
          </MenuItem>
        ))}
      </Menu>
      <Button
        size="small"
        look="quiet"
        aria-label={errors > 0 ? t('consoleWithErrors', { count: errors }) : t('console')}
        title={t('console')}
        aria-pressed={consoleShown}
        icon={<SquareTerminal size={14} aria-hidden />}
        className="min-w-6 px-1!"
        onClick={onConsole}
      >
        {errors > 0 && <span className="text-bad tabular">{errors}</span>}
      </Button>
      <IconButton
        size="small"
        label={t('sendToAgent')}
        icon={<Camera size={14} aria-hidden />}
        busy={picturing}
        disabledReason={guest.isShown ? null : t('nothingShown')}
        onClick={() => void takePicture()}
      />
      <OpenOutside at={at} />
    </div>
  )
}

function AddressField({ at, go }: { at: string; go: (address: string) => void }) {
  /** What is being typed; a page that goes elsewhere meanwhile does not take it away. */
  const [typed, setTyped] = useState<string | null>(null)
  const [wrong, setWrong] = useState(false)
  function drop() {
    setTyped(null)
    setWrong(false)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const address = pageAddress(typed ?? at)
    if (address === null) return setWrong(true)
    go(address)
    drop()
  }
  return (
    <form onSubmit={submit} className="min-w-28 flex-1 px-1">
      <Input
        aria-label={t('address')}
        aria-invalid={wrong || undefined}
        title={wrong ? t('noAddress') : at}
        className="h-6! w-full text-sm"
        dir="ltr"
        value={typed ?? shownAddress(at)}
        onValueChange={setTyped}
        onFocus={event => event.currentTarget.select()}
        onBlur={drop}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          drop()
        }}
      />
    </form>
  )
}

/** In the browser of this computer the sandbox has an address of its own. */
function OpenOutside({ at }: { at: string }) {
  const open = useOpenPort()
  const target = linkTarget(at, true)
  return (
    <IconButton
      size="small"
      label={t('openInBrowser')}
      icon={<ExternalLink size={14} aria-hidden />}
      busy={open.isPending}
      disabledReason={target && target.kind !== 'closed' ? null : t('onlyHere')}
      onClick={() => {
        if (target?.kind === 'web') openLink(target.url)
        else if (target?.kind === 'sandbox') open.mutate(target)
      }}
    />
  )
}
