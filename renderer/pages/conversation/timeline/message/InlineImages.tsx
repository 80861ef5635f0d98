import { Dialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../../../ui/Button.tsx'
import { t } from '../text.ts'

/** Pictures that came with the event itself. One at an address is named, not fetched. */
export function InlineImages({ images, label = t('attachment') }: { images: readonly string[]; label?: string }) {
  if (images.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2">
      {images.map((address, index) =>
        address.startsWith('data:image/') ? (
          <Picture
            key={address.slice(0, 64) + address.length}
            address={address}
            name={t('attachmentNumber', { label, number: index + 1 })}
          />
        ) : (
          <span key={address} className="break-all text-soft">
            {t('pictureNotLoadedNamed', { name: address })}
          </span>
        ),
      )}
    </div>
  )
}

/** Small among the words; a press shows it as large as the window lets it. */
function Picture({ address, name }: { address: string; name: string }) {
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root>
      <Dialog.Trigger title={t('showItLarge')} className="cursor-zoom-in! rounded-md">
        <img src={address} alt={name} className="max-h-60 max-w-full rounded-md border border-line" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          ref={popup}
          initialFocus={popup}
          className="popup fixed top-1/2 left-1/2 z-40 flex max-h-[94vh] max-w-[94vw] -translate-x-1/2 -translate-y-1/2 flex-col overflow-hidden"
        >
          <div className="flex items-center justify-between gap-4 py-1 pe-1 ps-3">
            <Dialog.Title className="text-soft text-sm">{name}</Dialog.Title>
            <Dialog.Close render={<IconButton label={t('close')} size="small" icon={<X size={14} aria-hidden />} />} />
          </div>
          <div className="min-h-0 overflow-auto">
            <img src={address} alt="" className="max-w-none" />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
