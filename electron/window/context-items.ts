import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import { isWebAddress } from '../addresses.ts'
import { t } from '../text.ts'

type Place = Pick<ContextMenuParams, 'isEditable' | 'selectionText' | 'linkURL' | 'editFlags'>

/** What can be done at a place of a page, with `copy` for what the page does not copy itself; none where nothing fits. */
export function contextItems(place: Place, copy: (text: string) => void): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, linkURL } = place
  if (isEditable) return fieldItems(place.editFlags)
  const text: MenuItemConstructorOptions[] = selectionText.trim() === '' ? [] : [{ role: 'copy', label: t('copy') }]
  // Addresses within the app lead nowhere outside of it.
  const isLink = isWebAddress(linkURL)
  const link: MenuItemConstructorOptions[] = isLink ? [{ label: t('copyLink'), click: () => copy(linkURL) }] : []
  return [...text, ...link]
}

function fieldItems(can: Place['editFlags']): MenuItemConstructorOptions[] {
  return [
    { role: 'undo', label: t('undo'), enabled: can.canUndo },
    { role: 'redo', label: t('redo'), enabled: can.canRedo },
    { type: 'separator' },
    { role: 'cut', label: t('cut'), enabled: can.canCut },
    { role: 'copy', label: t('copy'), enabled: can.canCopy },
    { role: 'paste', label: t('paste'), enabled: can.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: t('selectAll'), enabled: can.canSelectAll },
  ]
}
