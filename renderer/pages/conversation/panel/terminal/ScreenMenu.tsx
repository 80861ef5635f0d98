import { Ellipsis } from 'lucide-react'
import { IconButton } from '../../../../ui/Button.tsx'
import { Menu, MenuItem } from '../../../../ui/overlay/Menu.tsx'
import { t } from './text.ts'

interface ScreenMenuProps {
  onFind: () => void
  onClear: () => void
  onLarger: () => void
  onSmaller: () => void
  screenReaderMode: boolean
  onScreenReader: (on: boolean) => void
}

export function ScreenMenu({
  onFind,
  onClear,
  onLarger,
  onSmaller,
  screenReaderMode,
  onScreenReader,
}: ScreenMenuProps) {
  return (
    <Menu trigger={<IconButton size="small" label={t('options')} icon={<Ellipsis size={14} aria-hidden />} />}>
      <MenuItem shortcut="Mod+Shift+F" onSelect={onFind}>
        {t('find')}
      </MenuItem>
      <MenuItem onSelect={onClear}>{t('clear')}</MenuItem>
      <MenuItem onSelect={onLarger}>{t('largerText')}</MenuItem>
      <MenuItem onSelect={onSmaller}>{t('smallerText')}</MenuItem>
      <MenuItem onSelect={() => onScreenReader(!screenReaderMode)}>
        {screenReaderMode ? t('screenReaderOff') : t('screenReaderOn')}
      </MenuItem>
    </Menu>
  )
}
