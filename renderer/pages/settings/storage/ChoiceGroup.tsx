import { ChoiceRow } from '../../../components/removal/ChoiceRow.tsx'
import { formatBytes } from '../../../state/format.ts'
import { bytesOf, type Choice } from '../../../state/storage/choices.ts'
import { type GroupKind, REMOVABLE_GROUPS } from '../../../state/storage/words.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Checkbox } from '../../../ui/field/Checkbox.tsx'
import { t } from './text.ts'

interface ChoiceGroupProps {
  kind: GroupKind
  choices: readonly Choice[]
  chosen: ReadonlySet<string>
  onChoose: (keys: readonly string[], isChosen: boolean) => void
}

/** Things of one kind, with what is lost by deleting them. */
export function ChoiceGroup({ kind, choices, chosen, onChoose }: ChoiceGroupProps) {
  const { title, loss } = REMOVABLE_GROUPS[kind]
  const count = choices.filter(({ key }) => chosen.has(key)).length
  const holdsWork = choices.some(({ mayHoldWork, item }) => mayHoldWork && item !== null)
  const isOne = choices.every(({ item }) => item === null)
  return (
    <section aria-label={title} className="border-b border-line last:border-b-0">
      <div className="bg-sunken px-3 py-2">
        <div className="flex items-center gap-3">
          <span className="min-w-0 flex-1 font-medium">
            <Checkbox
              checked={count > 0 && count === choices.length}
              mixed={count > 0 && count < choices.length}
              onCheckedChange={isChosen =>
                onChoose(
                  choices.map(({ key }) => key),
                  isChosen,
                )
              }
            >
              {title}
            </Checkbox>
          </span>
          {holdsWork ? <Badge tone="wait">{t('mayHoldWork')}</Badge> : null}
          <span className="tabular text-soft">{formatBytes(bytesOf(choices))}</span>
        </div>
        <p className="ps-6 text-sm text-soft">{isOne ? `${choices[0]?.detail}. ${loss}` : loss}</p>
      </div>
      {isOne ? null : (
        <ul aria-label={title}>
          {choices.map(choice => (
            <ChoiceRow
              key={choice.key}
              choice={choice}
              isChosen={chosen.has(choice.key)}
              onChoose={isChosen => onChoose([choice.key], isChosen)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
