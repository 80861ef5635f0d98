import { Dialog } from '@base-ui/react/dialog'
import { t } from '../text.ts'
import { Palette, type PaletteProps } from './Palette.tsx'

export interface CommandPaletteProps extends Pick<PaletteProps, 'onToggleSidebar' | 'onReplay' | 'onShortcuts'> {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function CommandPalette({ open, onOpenChange, ...acts }: CommandPaletteProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-100 data-starting-style:opacity-0" />
        <Dialog.Popup className="popup fixed top-[14vh] left-1/2 z-40 w-150 max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden">
          <Dialog.Title className="sr-only">{t('goToConversationOrPage')}</Dialog.Title>
          <Palette onDone={() => onOpenChange(false)} {...acts} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
