import { formatBytes } from '../../state/format.ts'
import type { Choice } from '../../state/storage/choices.ts'
import { Checkbox } from '../../ui/field/Checkbox.tsx'

interface ChoiceRowProps {
  choice: Choice
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

/** One thing that can go, with a box to check. */
export function ChoiceRow({ choice: { name, detail, bytes }, isChosen, onChoose }: ChoiceRowProps) {
  return (
    <li className="flex items-center gap-3 border-t border-line py-1.5 ps-3 pe-3">
      <span className="min-w-0 flex-1">
        <Checkbox checked={isChosen} onCheckedChange={onChoose}>
          <span className="block truncate" title={name}>
            {name}
          </span>
          <span className="block text-sm text-faint">{detail}</span>
        </Checkbox>
      </span>
      <span className="tabular text-soft">{formatBytes(bytes)}</span>
    </li>
  )
}
