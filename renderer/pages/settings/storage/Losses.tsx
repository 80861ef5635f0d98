import type { Choice } from '../../../state/storage/choices.ts'
import { REMOVABLE_GROUPS } from '../../../state/storage/words.ts'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import { t } from './text.ts'

const SHOWN_NAMES = 8

/** What is lost by deleting what is chosen. */
export function Losses({ choices }: { choices: readonly Choice[] }) {
  // What is lost with sandboxes stands above, with their names.
  const kinds = [...new Set(choices.map(({ kind }) => kind))].filter(kind => kind !== 'sandbox')
  const work = choices.filter(({ mayHoldWork, item }) => mayHoldWork && item !== null)
  return (
    <>
      <p className="text-soft">{t('itCannotBeUndone', { count: choices.length })}</p>
      {work.length > 0 ? (
        <Notice tone="wait" what={t('workMayBeLost')}>
          <ul className="min-w-0 text-soft">
            {work.slice(0, SHOWN_NAMES).map(({ key, name }) => (
              <li key={key} className="wrap-anywhere">
                {name}
              </li>
            ))}
            {work.length > SHOWN_NAMES ? <li>{t('andMore', { count: work.length - SHOWN_NAMES })}</li> : null}
          </ul>
        </Notice>
      ) : null}
      <dl className="flex flex-col gap-2">
        {kinds.map(kind => (
          <div key={kind}>
            <dt className="font-medium">{REMOVABLE_GROUPS[kind].title}</dt>
            <dd className="text-soft">{REMOVABLE_GROUPS[kind].loss}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
