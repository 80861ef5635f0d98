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
      title="New sandbox"
      description="It runs until you pause or delete it. A new conversation starts its own."
      footer={
        <>
          <Button onClick={() => changeOpen(false)}>Cancel</Button>
          <Button
            look="primary"
            busy={start.isPending}
            disabledReason={spec ? null : 'There is no sandbox spec to start from.'}
            onClick={() => start.mutate(spec, { onSuccess: () => changeOpen(false) })}
          >
            Start
          </Button>
        </>
      }
    >
      {specs.isPending ? <Skeleton label="Loading sandbox specs" /> : null}
      {specs.isError ? <ErrorNotice error={specs.error} onRetry={() => void specs.refetch()} /> : null}
      {specs.data ? <SpecChoice specs={specs.data} value={spec} onChange={setChosen} /> : null}
      {start.error ? <ErrorNotice error={start.error} /> : null}
    </Dialog>
  )
}
