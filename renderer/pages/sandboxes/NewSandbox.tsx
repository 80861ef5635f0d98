import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { specsQuery } from '../../api/queries.ts'
import { useStartSandbox } from '../../api/sandboxes.ts'
import { useClient } from '../../api/session.ts'
import { SpecChoice } from '../../components/SpecChoice.tsx'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { t } from './text.ts'

export interface NewSandboxProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A sandbox without a conversation: for other tools, or to have one warm. */
export function NewSandbox({ open, onOpenChange }: NewSandboxProps) {
  const specs = useQuery({ ...specsQuery(useClient()), enabled: open })
  const [chosen, setChosen] = useState('')
  const start = useStartSandbox()
  const spec = chosen || (specs.data?.[0]?.id ?? '')

  function changeOpen(next: boolean) {
    start.reset()
    onOpenChange(next)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={t('newSandbox')}
      description={t('itRunsUntilYouPause')}
      footer={
        <>
          <Button onClick={() => changeOpen(false)}>{t('cancel')}</Button>
          <Button
            look="primary"
            busy={start.isPending}
            disabledReason={spec ? null : t('thereIsNoSandboxSpec')}
            onClick={() => start.mutate(spec, { onSuccess: () => changeOpen(false) })}
          >
            {t('start')}
          </Button>
        </>
      }
    >
      {specs.isPending ? <Skeleton label={t('loadingSandboxSpecs')} /> : null}
      {specs.isError ? <ErrorNotice error={specs.error} onRetry={() => void specs.refetch()} /> : null}
      {specs.data ? <SpecChoice specs={specs.data} value={spec} onChange={setChosen} /> : null}
      {start.error ? <ErrorNotice error={start.error} /> : null}
    </Dialog>
  )
}
