import { useMutation } from '@tanstack/react-query'
import { MessageCircleQuestion } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { askAgent } from '../../../../server/api/v1/conversation/actions.ts'
import { useClient } from '../../../api/session.ts'
import { Button, IconButton } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { Popover } from '../../../ui/overlay/Popover.tsx'
import { useOpenConversation } from '../context.ts'
import { t } from '../text.ts'
import { Markdown } from '../timeline/message/Markdown.tsx'

/** A question beside the work: the agent answers from what it knows, and neither goes on nor remembers it. */
export function SideQuestion() {
  return (
    <Popover
      title={t('sideQuestion')}
      wide
      trigger={<IconButton label={t('askSideQuestion')} icon={<MessageCircleQuestion size={15} aria-hidden />} />}
    >
      <Ask />
    </Popover>
  )
}

function Ask() {
  const { id } = useOpenConversation()
  const client = useClient()
  const [text, setText] = useState('')
  const ask = useMutation({
    mutationFn: (question: string) => client.call(askAgent, { params: { conversation_id: id }, body: { question } }),
  })
  const question = text.trim()
  function submit() {
    if (question && !ask.isPending) ask.mutate(question)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    <>
      <div>
        <p className="font-medium">{t('sideQuestion')}</p>
        <p className="text-faint text-sm">{t('agentAnswers')}</p>
      </div>
      <Textarea
        autoFocus
        aria-label={t('question')}
        placeholder={t('whyThisWay')}
        rows={2}
        className="min-h-14!"
        value={text}
        onValueChange={setText}
        onKeyDown={onKeyDown}
      />
      <Button
        look="primary"
        className="self-start"
        busy={ask.isPending}
        disabledReason={question ? null : t('writeQuestionFirst')}
        onClick={submit}
      >
        {t('ask')}
      </Button>
      {ask.error && <ErrorNotice error={ask.error} />}
      {ask.data && (
        <div
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          role="status"
          aria-label={t('answer')}
          className="max-h-72 overflow-y-auto border-line border-t pt-2"
        >
          <Markdown text={ask.data.response} />
        </div>
      )}
    </>
  )
}
