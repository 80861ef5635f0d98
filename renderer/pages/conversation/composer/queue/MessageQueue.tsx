import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { PendingMessage } from '../../../../../server/api/v1/conversation/pending-messages.ts'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { runRules } from '../run-rules.ts'
import { QueuedMessage } from './QueuedMessage.tsx'
import { t } from './text.ts'
import { useQueue } from './use-queue.ts'

interface Edit {
  before: string
  text: string
}

/** The messages that the agent gets one by one, each when it has finished. Nothing where none waits. */
export function MessageQueue() {
  const { status, info, edit } = useOpenConversation()
  const { messages, change, withdraw } = useQueue()
  const isHeld = runRules(status, info).phase === 'resting'
  const title = useRef<HTMLParagraphElement>(null)
  /** What is being written in the place of a message, by its id. */
  const [edits, setEdits] = useState<Readonly<Record<string, Edit>>>({})
  const gone = Object.keys(edits).filter(id => messages.every(message => message.id !== id))
  const endEdit = (ended: readonly string[]) =>
    setEdits(before => Object.fromEntries(Object.entries(before).filter(([id]) => !ended.includes(id))))
  const saveGone = useEffectEvent(() => {
    const texts = gone.flatMap(id => (edits[id] && edits[id].text !== edits[id].before ? [edits[id].text] : []))
    endEdit(gone)
    if (texts.length === 0) return
    edit({ text: texts.join('\n\n'), images: [] })
    notifyDone(t('wasSentMeanwhile'))
  })
  const isGone = gone.length > 0
  useEffect(() => {
    if (isGone) saveGone()
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
            onSend={() => {
              title.current?.focus()
              change.mutate({ message, to: { send_now: true } })
            }}
            onWithdraw={() => withdrawIt(message)}
            edited={edits[message.id]?.text ?? null}
            onEdit={text => setEdits({ ...edits, [message.id]: { before: edits[message.id]?.before ?? text, text } })}
            onCancel={() => {
              endEdit([message.id])
              title.current?.focus()
            }}
            isSaving={change.isPending && change.variables.message.id === message.id}
            onSave={content => {
              title.current?.focus()
              change.mutate({ message, to: { content }, onDone: () => endEdit([message.id]) })
            }}
          />
        ))}
      </ol>
    </section>
  )
}
