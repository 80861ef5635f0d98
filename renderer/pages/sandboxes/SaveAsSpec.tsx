import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useSaveSandboxAsSpec } from '../../api/sandbox/spec-images.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Input } from '../../ui/field/Input.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { FormDialog } from '../../ui/overlay/FormDialog.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { t } from './text.ts'

export interface SaveAsSpecProps {
  sandboxId: string
  onClose: () => void
}

/** Closing it while it saves gives that up. */
export function SaveAsSpec({ sandboxId, onClose }: SaveAsSpecProps) {
  const [title, setTitle] = useState('')
  const [tried, setTried] = useState(false)
  const saving = useRef<AbortController>(null)
  const save = useSaveSandboxAsSpec(sandboxId)
  if (save.data) return <Saved title={save.data.spec.title} leftOut={save.data.left_out} onClose={onClose} />
  function submit() {
    setTried(true)
    if (title.trim() === '') return
    saving.current = new AbortController()
    save.mutate({ title, signal: saving.current.signal })
  }
  function close() {
    saving.current?.abort()
    onClose()
  }
  return (
    <FormDialog
      title={t('saveAsSpec')}
      description={t('makesImageOfSandbox')}
      submit={t('save')}
      onSubmit={submit}
      onClose={close}
      busy={save.isPending}
      error={save.error}
    >
      <Field label={t('nameOfSpec')} error={tried && title.trim() === '' ? t('giveItName') : undefined}>
        <Input value={title} onValueChange={setTitle} maxLength={100} readOnly={save.isPending} />
      </Field>
      {save.isPending && (
        <div role="status">
          <p className="text-soft">{t('savingTakesWhile')}</p>
          <Progress label={t('saveAsSpec')} value={null} className="mt-2" />
        </div>
      )}
    </FormDialog>
  )
}

function Saved({ title, leftOut, onClose }: { title: string; leftOut: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('specIsSaved')}
      description={t('newSandboxesCanStartFromTitle', { title })}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          <Link to="/settings/$section" params={{ section: 'sandbox' }} className={buttonClass('primary')}>
            {t('openSandboxSpecs')}
          </Link>
        </>
      }
    >
      {leftOut.length === 0 ? (
        <p>{t('nothingIsLeftOut')}</p>
      ) : (
        <div>
          <p>{t('mountedFoldersAreLeftOut')}</p>
          <ul aria-label={t('mountedFoldersAreLeftOut')} className="mt-1 list-disc ps-5">
            {leftOut.map(path => (
              <li key={path} className="font-mono text-sm break-all">
                <bdi>{path}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}
