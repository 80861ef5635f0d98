import { Copy, SquareTerminal, TextQuote } from 'lucide-react'
import { type ReactElement, type ReactNode, useState } from 'react'
import type { ActionItem, Item } from '../../../state/conversation/item.ts'
import { splitContent } from '../../../state/conversation/items.ts'
import { ContextMenu } from '../../../ui/overlay/ContextMenu.tsx'
import { copyText } from '../../../ui/overlay/copy-text.ts'
import { MenuItem, MenuSeparator } from '../../../ui/overlay/Menu.tsx'
import { labelOf } from './action/labels.ts'
import { MessageItems } from './message/MessageMenu.tsx'
import { t } from './text.ts'

interface TimelineMenuProps {
  /** Holds the rows, each with its place in `items` as `data-index`. */
  trigger: ReactElement
  items: readonly Item[]
  children: ReactNode
}

interface Chosen {
  item: Item
  /** What is selected in it. */
  selection: string
}

/** One for all rows, as there are many: what can be copied of a message or a step, and where a message leads. */
export function TimelineMenu({ trigger, items, children }: TimelineMenuProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  function onChoose(target: Element): boolean {
    const row = target.closest<HTMLElement>('[data-index]')
    const item = row ? items[Number(row.dataset.index)] : undefined
    if (!item || partsOf(item).length === 0) return false
    const selected = getSelection()
    const isHere = selected !== null && row !== null && selected.containsNode(row, true)
    setChosen({ item, selection: isHere ? selected.toString() : '' })
    return true
  }
  return (
    <ContextMenu trigger={trigger} onChoose={onChoose} items={chosen && <Items {...chosen} />}>
      {children}
    </ContextMenu>
  )
}

function Items({ item, selection }: Chosen) {
  return (
    <>
      {selection.trim() !== '' && (
        <MenuItem icon={<Copy size={13} aria-hidden />} onSelect={() => void copyText(selection)}>
          {t('copySelection')}
        </MenuItem>
      )}
      {partsOf(item).map(({ label, icon, text }) => (
        <MenuItem key={label} icon={icon} onSelect={() => void copyText(text)}>
          {label}
        </MenuItem>
      ))}
      {item.kind === 'message' && item.eventId !== null && (
        <>
          <MenuSeparator />
          <MessageItems item={item} eventId={item.eventId} />
        </>
      )}
    </>
  )
}

interface Part {
  label: string
  icon: ReactNode
  text: string
}

/** What of an item can be copied as a whole. */
function partsOf(item: Item): Part[] {
  const copy = <Copy size={13} aria-hidden />
  if (item.kind === 'message') return [{ label: t('copyMessage'), icon: copy, text: item.text }]
  if (item.kind === 'thought') return [{ label: t('copyThought'), icon: copy, text: item.text }]
  if (item.kind !== 'action') return []
  const { verb, subject } = labelOf(item.event)
  const output = outputOf(item)
  const asked = subject || (verb ?? '')
  const call = { label: t('copyCall'), icon: <SquareTerminal size={13} aria-hidden />, text: asked }
  const result = { label: t('copyOutput'), icon: <TextQuote size={13} aria-hidden />, text: output }
  return [call, result].filter(({ text }) => text !== '')
}

function outputOf({ outcome }: ActionItem): string {
  if (outcome.state === 'ok' || outcome.state === 'error') return splitContent(outcome.event.observation.content).text
  return outcome.state === 'failed' || outcome.state === 'stopped' ? outcome.event.error : ''
}
