import type { ReactNode } from 'react'
import { formatBytes } from '../../state/format.ts'
import type { Choice } from '../../state/storage/choices.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/ErrorNotice.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { t } from './text.ts'
import { type Removal, useRemoval } from './use-removal.ts'

interface RemovalDialogProps {
  title: string
  /** What goes when it is confirmed. */
  choices: readonly Choice[]
  /** The words on the button that begins it. */
  confirm: string
  /** Why it cannot begin now. */
  disabledReason?: string | null
  onClose: () => void
  /** What is lost, and what is not. */
  children: ReactNode
}

/** Says what is lost before, how far it is meanwhile, and what became of each afterwards. */
export function RemovalDialog({ title, choices, confirm, disabledReason, onClose, children }: RemovalDialogProps) {
  const { removal, begin, stop } = useRemoval()
  return (
    <Dialog
      open
      onOpenChange={() => removal.kind !== 'removing' && onClose()}
      title={removal.kind === 'over' ? outcomeTitle(removal) : title}
      footer={
        <>
          {removal.kind === 'asking' ? <Button onClick={onClose}>{t('cancel')}</Button> : null}
          {removal.kind === 'asking' ? (
            <Button look="danger" disabledReason={disabledReason} onClick={() => void begin(choices)}>
              {confirm}
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
      {removal.kind === 'asking' ? children : <Course removal={removal} />}
    </Dialog>
  )
}

function outcomeTitle({ removed }: Extract<Removal, { kind: 'over' }>): string {
  return removed > 0 ? t('spaceIsFreed') : t('freedBytes', { bytes: '', count: 0 })
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
