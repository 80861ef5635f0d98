import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PendingMessage } from '../../../../../server/api/v1/conversation/pending-messages.ts'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { runRules } from '../run-rules.ts'
import { QueuedMessage } from './QueuedMessage.tsx'
import { t } from './text.ts'
import { useQueue } from './use-queue.ts'

/** The messages that the agent gets one by one, each when it has finished. Nothing where none waits. */
export function MessageQueue() {
  const { status, info, edit } = useOpenConversation()
  const { messages, change, withdraw } = useQueue()
  const isHeld = runRules(status, info).phase === 'resting' && status !== 'finished'
  const title = useRef<HTMLParagraphElement>(null)
  const [edited, setEdited] = useState<{ id: string; text: string } | null>(null)
  const isGone = edited !== null && messages.every(({ id }) => id !== edited.id)
  const saveText = useEffectEvent(() => {
    setEdited(null)
    edit({ text: edited?.text ?? '', images: [] })
    notifyDone(t('wasSentMeanwhile'))
  })
  useEffect(() => {
    if (isGone) saveText()
  }, [isGone])
  if (messages.length === 0) return null

  const withdrawIt = (message: PendingMessage) => {
    // Its button goes with it, and the focus must not go to the top of the page.
    title.current?.focus()
    withdraw.mutate(message)
  }
  return (
    <section aria-label={t('queue')} className="rounded-md border border-line bg-sunken py-1">
      <p ref={title} tabIndex={-1} className="px-3 py-0.5 text-soft text-xs outline-none">
        {isHeld ? t('isHeld') : t('whatQueueIs')}
      </p>
      <ol className="max-h-44 overflow-y-auto">
        {messages.map((message, index) => (
          <QueuedMessage
            key={message.id}
            message={message}
            place={index + 1}
            isLast={index === messages.length - 1}
            onMove={position => change.mutate({ message, to: { position } })}
            onSend={() => change.mutate({ message, to: { waits_for: 'start' } })}
            onWithdraw={() => withdrawIt(message)}
            edited={edited?.id === message.id ? edited.text : null}
            onEdit={text => setEdited(text === null ? null : { id: message.id, text })}
            onSave={content => change.mutateAsync({ message, to: { content } })}
          />
        ))}
      </ol>
    </section>
  )
}
