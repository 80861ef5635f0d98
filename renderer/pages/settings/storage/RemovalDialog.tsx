import { formatBytes } from '../../../state/format.ts'
import { bytesOf, type Choice } from '../../../state/storage/choices.ts'
import { REMOVABLE_GROUPS } from '../../../state/storage/words.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { type Removal, useRemoval } from './removal.ts'
import { t } from './text.ts'

interface RemovalDialogProps {
  choices: readonly Choice[]
  engineId: string
  onClose: () => void
}

/** Says what is lost before, how far it is meanwhile, and what became of each afterwards. */
export function RemovalDialog({ choices, engineId, onClose }: RemovalDialogProps) {
  const { removal, begin, stop } = useRemoval(engineId)
  const bytes = formatBytes(bytesOf(choices))
  return (
    <Dialog
      open
      onOpenChange={() => removal.kind !== 'removing' && onClose()}
      title={titleOf(removal)}
      footer={
        <>
          {removal.kind === 'asking' ? <Button onClick={onClose}>{t('cancel')}</Button> : null}
          {removal.kind === 'asking' ? (
            <Button look="danger" onClick={() => void begin(choices)}>
              {t('deleteBytes', { bytes })}
            </Button>
          ) : null}
          {removal.kind === 'removing' ? (
            <Button busy={removal.isStopping} onClick={stop}>
              {t('stop')}
            </Button>
          ) : null}
          {removal.kind === 'over' ? (
            <Button look="primary" onClick={onClose}>
              {t('close')}
            </Button>
          ) : null}
        </>
      }
    >
      {removal.kind === 'asking' ? <Losses choices={choices} /> : <Course removal={removal} />}
    </Dialog>
  )
}

function titleOf(removal: Removal): string {
  if (removal.kind !== 'over') return t('deleteWhatIsChosen')
  return removal.removed > 0 ? t('spaceIsFreed') : t('freedBytes', { bytes: '', count: 0 })
}

const SHOWN_NAMES = 8

function Losses({ choices }: Pick<RemovalDialogProps, 'choices'>) {
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

function Course({ removal }: { removal: Exclude<Removal, { kind: 'asking' }> }) {
  if (removal.kind === 'removing') {
    const { done, total, current } = removal
    return (
      <div role="status" className="flex flex-col gap-1.5">
        <span className="wrap-anywhere">{t('deletingName', { name: current })}</span>
        <Progress label={t('deletingWhatIsChosen')} value={{ done, total }} />
        <span className="tabular text-faint">{t('doneOfTotal', { done, total })}</span>
      </div>
    )
  }
  const { freedBytes, removed, left, kept } = removal
  return (
    <>
      {removed > 0 ? <p role="status">{t('freedBytes', { bytes: formatBytes(freedBytes), count: removed })}</p> : null}
      {left > 0 ? <p className="text-soft">{t('stoppedBefore', { count: left })}</p> : null}
      {kept.length > 0 ? (
        <Notice tone="wait" what={t('couldNotBeDeleted', { count: kept.length })}>
          <ul className="flex min-w-0 flex-col gap-1 text-soft">
            {kept.map(({ name, problem }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names repeat, and the list does not change
              <li key={index} className="wrap-anywhere">
                {t('nameAndProblem', { name, problem })}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </>
  )
}
