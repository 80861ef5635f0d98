import { type KeyboardEvent, type Ref, useCallback, useId, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { ATTACHMENTS_FOLDER } from '../../../../server/api/attached-files.ts'
import { uploadFile } from '../../../api/sandbox/files.ts'
import { useSession } from '../../../api/session.ts'
import { Attachments } from '../../../components/attaching/Attachments.tsx'
import { UploadChips } from '../../../components/attaching/UploadChips.tsx'
import { useAttaching } from '../../../components/attaching/use-attaching.ts'
import type { Attachment } from '../../../state/launch/attached-files.ts'
import { useComposerAttachments, withAttached } from '../../../state/launch/composer-attachments.ts'
import { useSharedPreference } from '../../../state/settings/preference.ts'
import { Textarea } from '../../../ui/field/Textarea.tsx'
import { notifyDone } from '../../../ui/overlay/toast.ts'
import { type OpenConversation, type SaidMessage, useOpenConversation } from '../context.ts'
import { t } from '../text.ts'
import { ComposerBar } from './ComposerBar.tsx'
import { OfferList, offerId } from './OfferList.tsx'
import { ownTexts, recalled } from './recall.ts'
import { type RunPhase, runRules } from './run-rules.ts'
import { useCompletion } from './use-completion.ts'
import { useSend, type When } from './use-send.ts'

const PLACEHOLDERS = {
  working: t('sendFollowUp'),
  asking: t('orSayWhatToDo'),
  resting: t('writeToAgent'),
} as const satisfies Record<RunPhase, string>

/** Where a message is written; it stays usable while the agent works. */
export function Composer({ ref }: { ref: Ref<Pick<OpenConversation, 'edit'>> }) {
  const { id, info, status, countSent, feed } = useOpenConversation()
  const { phase, working, sendReason } = runRules(status, info)
  const [draft, setDraft, currentDraft] = useSharedPreference(`draft.${id}`, '')
  const field = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const completion = useCompletion({ field, draft, setDraft })
  const session = useSession()
  const attaching = useAttaching(useComposerAttachments(id), {
    send: ({ name, ...sent }) => {
      const place = { path: `${ATTACHMENTS_FOLDER}/${name}`, existing: 'keep_both' as const }
      return uploadFile(session, { id, ...place, ...sent })
    },
  })
  const { attached, change, clear } = attaching.attachments
  const { images: attachments, paths, notes, uploads } = attached
  const send = useSend(id)
  const writeAgain = ({ text, images }: SaidMessage) => {
    const before = { draft, attached }
    setDraft(text)
    const written = images.map(asAttachment)
    change(({ uploads, reading }) => ({ images: written, paths: [], notes: [], uploads, reading }))
    field.current?.focus()
    if (empty) return
    const act = () => {
      setDraft(before.draft)
      change(({ images, uploads, reading }) => {
        // Pictures that were being read belong to what comes back.
        const since = images.filter(each => !written.includes(each))
        return { ...before.attached, images: [...before.attached.images, ...since], uploads, reading }
      })
    }
    notifyDone(t('draftIsReplaced'), { label: t('takeDraftBack'), act })
  }
  useImperativeHandle(ref, () => ({ edit: writeAgain }))
  const empty = draft.trim() === '' && attachments.length + paths.length + notes.length + uploads.length === 0
  const reason = sendReason ?? attaching.waits ?? (empty ? t('writeMessageFirst') : null)

  function submit(when: When = 'now') {
    if (reason) return
    setDraft('')
    clear()
    attaching.refuse([])
    if (when !== 'finished') countSent()
    const restore = () => {
      // Something may have been written since, also after this page was left.
      const since = currentDraft()
      setDraft(since.trim() === '' ? draft : `${draft}\n\n${since}`)
      change(({ images, paths, notes, uploads, reading }) => ({
        images: [...attached.images, ...images],
        paths: [...attached.paths, ...paths],
        notes: [...attached.notes, ...notes],
        uploads: [...attached.uploads, ...uploads],
        reading,
      }))
    }
    send.mutate({ text: withAttached(draft.trim(), attached), images: attachments, when, restore })
  }
  const latest = useRef({ submit, attach: attaching.attach })
  useLayoutEffect(() => {
    latest.current = { submit, attach: attaching.attach }
  })
  const onSubmit = useCallback((when: When) => latest.current.submit(when), [])
  const onFiles = useCallback((files: readonly File[]) => void latest.current.attach(files), [])
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (completion.onKeyDown(event) || event.shiftKey || event.nativeEvent.isComposing) return
    const step = recallStep(event)
    const earlier = step && recalled(ownTexts(feed.snapshot().conversation.items), draft, step)
    if (event.key !== 'Enter' && earlier === undefined) return
    event.preventDefault()
    if (event.key !== 'Enter') setDraft(earlier ?? '')
    else if (event.altKey) submit('finished')
    else submit(working && (event.ctrlKey || event.metaKey) ? 'stopped' : 'now')
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping has a keyboard twin, pasting into the text
    <div
      onDrop={attaching.onDrop}
      onDragOver={event => event.preventDefault()}
      className="relative rounded-md border border-edge bg-surface focus-within:outline-2 focus-within:outline-accent focus-within:-outline-offset-1"
    >
      <Attachments
        attachments={attachments}
        refusals={attaching.refusals}
        paths={paths}
        notes={notes}
        onRemove={gone => change(now => ({ ...now, images: now.images.filter(each => each !== gone) }))}
        onRemoveNote={gone => change(now => ({ ...now, notes: now.notes.filter(each => each !== gone) }))}
        onRemovePath={gone => change(now => ({ ...now, paths: now.paths.filter(each => each !== gone) }))}
      />
      <UploadChips uploads={uploads} onRemove={attaching.remove} onAgain={attaching.again} />
      {completion.open && (
        <OfferList id={list} offers={completion.offers ?? []} chosen={completion.chosen} onTake={completion.take} />
      )}
      <Textarea
        ref={field}
        bare
        autoFocus
        aria-autocomplete="list"
        aria-controls={completion.open ? list : undefined}
        aria-activedescendant={completion.open ? offerId(list, completion.chosen) : undefined}
        onSelect={completion.onSelect}
        aria-label={t('message')}
        placeholder={sendReason ?? PLACEHOLDERS[phase]}
        className="min-h-10! px-3 py-2"
        rows={1}
        value={draft}
        onValueChange={setDraft}
        onKeyDown={onKeyDown}
        onPaste={attaching.onPaste}
      />
      <ComposerBar
        working={working}
        phase={phase}
        reason={reason}
        busy={send.isPending && empty}
        onSubmit={onSubmit}
        onFiles={onFiles}
      />
    </div>
  )
}

/** The arrow keys leave the text only from its first or last line. */
function recallStep({ key, altKey, ctrlKey, metaKey, currentTarget }: KeyboardEvent<HTMLTextAreaElement>) {
  const { value, selectionStart, selectionEnd } = currentTarget
  if (altKey || ctrlKey || metaKey || selectionStart !== selectionEnd) return undefined
  if (key === 'ArrowUp') return value.slice(0, selectionStart).includes('\n') ? undefined : -1
  if (key === 'ArrowDown') return value.slice(selectionEnd).includes('\n') ? undefined : 1
  return undefined
}

function asAttachment(dataUrl: string, index: number): Attachment {
  return {
    name: t('imageOfMessage', { number: String(index + 1) }),
    dataUrl,
    bytes: Math.floor((dataUrl.length * 3) / 4),
  }
}
