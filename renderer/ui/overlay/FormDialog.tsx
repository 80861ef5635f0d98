import { type ReactNode, useId } from 'react'
import { Button } from '../Button.tsx'
import { ErrorNotice } from '../ErrorNotice.tsx'
import { t } from '../text.ts'
import { Dialog } from './Dialog.tsx'

export interface FormDialogProps {
  onClose: () => void
  title: string
  description?: ReactNode
  /** The verb of what it does. */
  submit: string
  onSubmit: () => void
  busy?: boolean
  error?: unknown
  children: ReactNode
}

/** A few fields that are entered together; Enter submits. */
export function FormDialog(props: FormDialogProps) {
  const { onClose, title, description, submit, onSubmit, busy = false, error, children } = props
  const form = useId()
  const buttons = (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button type="submit" form={form} look="primary" busy={busy}>
        {submit}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title={title}
      description={description}
      footer={buttons}
    >
      <form
        id={form}
        aria-label={title}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          if (!busy) onSubmit()
          showFirstProblem(event.currentTarget)
        }}
      >
        {children}
        {error ? (
          <div ref={showNow}>
            <ErrorNotice error={error} />
          </div>
        ) : null}
      </form>
    </Dialog>
  )
}

/** What is wrong may be out of sight in a long form; it is marked by the next frame. */
function showFirstProblem(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

function showNow(notice: HTMLElement | null): void {
  notice?.scrollIntoView({ block: 'nearest' })
}
