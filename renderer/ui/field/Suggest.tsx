import { Autocomplete } from '@base-ui/react/autocomplete'
import { useState } from 'react'

export interface Suggestion {
  value: string
  hint?: string
}

export interface SuggestProps<Item extends Suggestion = Suggestion> {
  value: string
  onValueChange: (value: string) => void
  suggestions: readonly Item[]
  /** In place of `onValueChange` for a suggestion that was chosen, where more hangs on it than its text. */
  onPick?: (item: Item) => void
  placeholder?: string
  mono?: boolean
  'aria-label'?: string
  autoFocus?: boolean
}

/** A text field that offers known values; any other text is as good. */
export function Suggest<Item extends Suggestion>(props: SuggestProps<Item>) {
  const { value, onValueChange, suggestions, onPick, mono = false, ...input } = props
  const { contains } = Autocomplete.useFilter({ sensitivity: 'base' })
  const [isOpen, setOpen] = useState(false)
  return (
    <Autocomplete.Root
      // A list without entries is not shown, but would keep Esc and what stands around it to itself.
      open={isOpen && suggestions.some(item => contains(item.value, value))}
      onOpenChange={setOpen}
      value={value}
      onValueChange={(next, details) => {
        // Escape closes; it must not empty the field as well.
        if (details.reason === 'escape-key') details.cancel()
        else if (!onPick || details.reason !== 'item-press') onValueChange(next)
      }}
      items={suggestions}
      itemToStringValue={item => item.value}
      limit={50}
      openOnInputClick
    >
      <Autocomplete.Input {...input} spellCheck={false} className={`control h-8 ${mono ? 'font-mono text-sm' : ''}`} />
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={4} className="z-50 data-empty:hidden">
          <Autocomplete.Popup className="popup w-(--anchor-width) data-empty:hidden">
            <Autocomplete.List className="max-h-[min(280px,var(--available-height))] overflow-y-auto p-1">
              {(item: Item) => (
                <Autocomplete.Item
                  key={`${item.value} ${item.hint ?? ''}`}
                  value={item}
                  onClick={() => onPick?.(item)}
                  className="flex min-h-7 items-center justify-between gap-3 rounded-sm px-2 outline-none data-highlighted:bg-hover"
                >
                  <span className={`truncate ${mono ? 'font-mono text-sm' : ''}`}>{item.value}</span>
                  {item.hint ? <span className="shrink-0 text-sm text-faint">{item.hint}</span> : null}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}
