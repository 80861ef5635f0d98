import { useEffect, useRef } from 'react'
import { useModelQuestions } from '../../../api/system/diagnosis.ts'
import { Button } from '../../../ui/Button.tsx'
import { notifyError } from '../../../ui/overlay/toast.ts'
import { t } from './text.ts'

/** Costs something, so it is asked for apart. Ends with the page. */
export function ModelTest() {
  const questions = useModelQuestions()
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  function ask() {
    stop.current = new AbortController()
    const { signal } = stop.current
    questions.mutate(signal, { onError: error => signal.aborted || notifyError(error) })
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="small" busy={questions.isPending} onClick={ask}>
        {t('testModel')}
      </Button>
      {questions.isPending ? (
        <Button size="small" look="quiet" onClick={() => stop.current.abort()}>
          {t('cancel')}
        </Button>
      ) : null}
      <span role="status" className="text-faint text-sm">
        {questions.isPending ? t('askingModel') : t('modelTestCosts')}
      </span>
    </div>
  )
}
