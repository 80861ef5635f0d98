import { Lightbulb } from 'lucide-react'
import { memo, startTransition, useEffect, useState } from 'react'
import type { MessageItem } from '../../../state/conversation/item.ts'
import type { ModelWait } from '../../../state/conversation/model-wait.ts'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useOpenConversation } from '../context.ts'
import { ModelWaitNotice } from './line/ModelWaitNotice.tsx'
import { AgentMessage } from './message/MessageCard.tsx'
import type { RowKeys } from './row-keys.ts'
import { t } from './text.ts'

export interface AnswerRowProps {
  /** The answer, once all of it has come. */
  item: MessageItem | null
  live: Live | null
  /** Are to know what the live row shows, so that its message keeps the row. */
  keys: RowKeys
}

/** How the agent works while its answer does not come. */
export interface Live {
  /** Why nothing comes. */
  wait: ModelWait | null
  /** Something else shows already that work goes on. */
  quiet: boolean
  /** What the agent waits for. */
  awaited: 'model' | 'engine'
}

/**
 * What the agent says: at the end of the timeline while it works, its answer as it comes or that it thinks; and afterwards the
 * message that it has become, in the same place.
 */
export const AnswerRow = memo(function AnswerRow({ item, live, keys }: AnswerRowProps) {
  const isLive = item === null
  const stream = useStream(isLive)
  const shownAfter = stream?.text ? stream.afterSeq : null
  useEffect(() => {
    if (isLive) keys.shown(shownAfter)
  }, [keys, isLive, shownAfter])
  return (
    <>
      {item || stream?.text ? (
        <AgentMessage item={item} text={item?.text ?? stream?.text ?? ''} isCut={isLive && (stream?.cut ?? false)} />
      ) : (
        live && <Working reasoning={stream?.reasoning} {...live} />
      )}
      {live?.wait && <ModelWaitNotice wait={live.wait} />}
    </>
  )
})

function Working({ reasoning, wait, quiet, awaited }: Live & { reasoning: string | undefined }) {
  if (reasoning)
    return (
      <div className="flex gap-2 py-1.5 text-faint">
        <Lightbulb size={14} aria-hidden className="mt-0.5 shrink-0 animate-breathe" />
        <p className="line-clamp-3 whitespace-pre-wrap break-words">{lastWords(reasoning)}</p>
      </div>
    )
  if (quiet || wait) return <div className="h-2" />
  return (
    <p className="flex animate-appear items-center gap-2 py-2 text-soft">
      <Spinner size={14} className="text-work" />
      {awaited === 'engine' ? t('waitingForDockerEngine') : t('waitingForModel')}
    </p>
  )
}

/** What comes from the model. Whatever the person does is shown first. */
function useStream(isLive: boolean) {
  const { feed } = useOpenConversation()
  const [stream, setStream] = useState(() => (isLive ? feed.stream() : null))
  useEffect(() => {
    if (!isLive) return
    const update = () => {
      const next = feed.stream()
      // What has come stays until the list has made the row that of the finished message.
      if (next === null || next.text) startTransition(() => setStream(next))
      else setStream(next)
    }
    update()
    return feed.subscribeToStream(update)
  }, [feed, isLive])
  return stream
}

function lastWords(text: string): string {
  return text.length > 280 ? `… ${text.slice(-280)}` : text
}
