import { Lightbulb } from 'lucide-react'
import { memo, startTransition, useEffect, useState } from 'react'
import type { ModelWait } from '../../../state/conversation/model-wait.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useOpenConversation } from '../context.ts'
import { ModelWaitNotice } from './line/ModelWaitNotice.tsx'
import { GrowingMarkdown } from './message/Markdown.tsx'
import { t } from './text.ts'

export interface LiveRowProps {
  /** Why nothing comes. */
  wait: ModelWait | null
  /** Something else shows already that work goes on. */
  quiet: boolean
  /** What the agent waits for. */
  awaited: 'model' | 'engine'
}

/** The end of the timeline while the agent works: its answer as it comes, or that it thinks. */
export const LiveRow = memo(function LiveRow({ wait, quiet, awaited }: LiveRowProps) {
  return (
    <>
      <Answer quiet={quiet || wait !== null} awaited={awaited} />
      {wait && <ModelWaitNotice wait={wait} />}
    </>
  )
})

function Answer({ quiet, awaited }: Omit<LiveRowProps, 'wait'>) {
  const stream = useStream()
  if (stream?.text)
    return (
      <article aria-label={t('agent')} aria-busy className="py-1.5">
        {stream.cut && <p className="text-faint text-sm">{t('loadingBeginning')}</p>}
        <GrowingMarkdown text={stream.text} />
      </article>
    )
  if (stream?.reasoning)
    return (
      <div className="flex gap-2 py-1.5 text-faint">
        <Lightbulb size={14} aria-hidden className="mt-0.5 shrink-0 animate-breathe" />
        <p className="line-clamp-3 whitespace-pre-wrap break-words">{lastWords(stream.reasoning)}</p>
      </div>
    )
  if (quiet) return <div className="h-2" />
  return (
    <p className="flex animate-appear items-center gap-2 py-2 text-soft">
      <Spinner size={14} className="text-work" />
      {awaited === 'engine' ? t('waitingForDockerEngine') : t('waitingForModel')}
    </p>
  )
}

/** What comes from the model. Whatever the person does is shown first. */
function useStream() {
  const { feed } = useOpenConversation()
  const [stream, setStream] = useState(feed.stream)
  useEffect(() => {
    const update = () => {
      const next = feed.stream()
      // The finished message takes the place of the text at once.
      if (next?.text) startTransition(() => setStream(next))
      else setStream(next)
    }
    update()
    return feed.subscribeToStream(update)
  }, [feed])
  return stream
}

function lastWords(text: string): string {
  return text.length > 280 ? `… ${text.slice(-280)}` : text
}
