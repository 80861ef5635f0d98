import { Trash2, Undo2 } from 'lucide-react'
import { type PointerEvent, useRef, useState } from 'react'
import { readImages } from '../../../../state/launch/attached-files.ts'
import { useComposerAttachments } from '../../../../state/launch/composer-attachments.ts'
import { shownAddress } from '../../../../state/preview/address.ts'
import { type ConsoleMessage, countErrors, errorsFor, fenced } from '../../../../state/preview/console.ts'
import { drawMarks, type Mark, markBetween, type Point } from '../../../../state/preview/marks.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Checkbox } from '../../../../ui/field/Checkbox.tsx'
import { FullDialog } from '../../../../ui/overlay/FullDialog.tsx'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

interface SendPictureProps {
  /** As a `data:` address. */
  picture: string
  /** Of the page that it shows. */
  address: string
  messages: readonly ConsoleMessage[]
  onClose: () => void
}

/** A picture of the page, on which a person marks what is meant, and the errors of its console: for the next message. */
export function SendPicture({ picture, address, messages, onClose }: SendPictureProps) {
  const { id } = useOpenConversation()
  const { current, set } = useComposerAttachments(id)
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const [withErrors, setWithErrors] = useState(true)
  const errors = errorsFor(messages)
  const count = countErrors(messages)

  async function attach() {
    const before = current()
    const name = `${shownAddress(address)}.png`
    const file = new File([bytesOf(await drawMarks(picture, marks))], name, { type: 'image/png' })
    const { images, refused } = await readImages([file], before.images)
    const [refusal] = refused
    if (refusal) throw new Error(t('pictureRefused', { reason: refusal.reason }))
    const shown = marks.length > 0 ? t('pictureShowsMarked', { address }) : t('pictureShows', { address })
    const told = withErrors && errors !== '' ? [`${t('errorsOfConsole')}\n${fenced(errors)}`] : []
    const text = [shown, ...told].join('\n\n')
    set({ ...before, images, notes: [...before.notes, { id: crypto.randomUUID(), name: shownAddress(address), text }] })
    notifyDone(t('addedToMessage'))
    onClose()
  }

  return (
    <FullDialog
      title={t('sendToAgent')}
      onClose={onClose}
      onKeyDown={event => {
        if (event.key === 'z' && (event.ctrlKey || event.metaKey)) setMarks(marks.slice(0, -1))
      }}
      toolbar={
        <>
          <span className="text-faint text-sm">{t('markHint')}</span>
          <Button
            size="small"
            icon={<Undo2 size={13} aria-hidden />}
            disabledReason={marks.length === 0 ? t('noMarks') : null}
            onClick={() => setMarks(marks.slice(0, -1))}
          >
            {t('undoMark')}
          </Button>
          <Button
            size="small"
            icon={<Trash2 size={13} aria-hidden />}
            disabledReason={marks.length === 0 ? t('noMarks') : null}
            onClick={() => setMarks([])}
          >
            {t('clearMarks')}
          </Button>
          {count > 0 && (
            <Checkbox checked={withErrors} onCheckedChange={setWithErrors}>
              {t('withErrors', { count })}
            </Checkbox>
          )}
          <Button size="small" look="primary" onClick={() => void attach().catch(notifyError)}>
            {t('addToMessage')}
          </Button>
        </>
      }
    >
      <Marking picture={picture} marks={marks} onMark={mark => setMarks([...marks, mark])} />
    </FullDialog>
  )
}

interface MarkingProps {
  picture: string
  marks: readonly Mark[]
  onMark: (mark: Mark) => void
}

function Marking({ picture, marks, onMark }: MarkingProps) {
  const place = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<{ from: Point; to: Point } | null>(null)
  function pointOf({ clientX, clientY }: PointerEvent): Point {
    const { left, top, width, height } = place.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return { x: (clientX - left) / width, y: (clientY - top) / height }
  }
  const growing = drawn && markBetween(drawn.from, drawn.to)
  return (
    <div className="flex min-h-0 flex-1 items-center justify-center overflow-hidden bg-sunken p-4">
      <div
        ref={place}
        onPointerDown={event => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrawn({ from: pointOf(event), to: pointOf(event) })
        }}
        onPointerMove={event => drawn && setDrawn({ ...drawn, to: pointOf(event) })}
        onPointerUp={() => {
          if (growing) onMark(growing)
          setDrawn(null)
        }}
        onPointerCancel={() => setDrawn(null)}
        className="relative max-h-full max-w-full cursor-crosshair touch-none"
      >
        <img
          src={picture}
          alt={t('pictureOfPage')}
          className="block max-h-[calc(100vh-96px)] max-w-full"
          style={{ background: 'white' }}
        />
        {[...marks, ...(growing ? [growing] : [])].map((mark, index) => (
          <MarkBox key={`${mark.x} ${mark.y} ${mark.width} ${mark.height}`} mark={mark} number={index + 1} />
        ))}
      </div>
    </div>
  )
}

function MarkBox({ mark: { x, y, width, height }, number }: { mark: Mark; number: number }) {
  const place = { left: percent(x), top: percent(y), width: percent(width), height: percent(height) }
  return (
    <div style={place} className="pointer-events-none absolute border-2 border-bad">
      <span className="absolute forced-color-adjust-none bg-bad-fill px-1 font-semibold text-on-accent text-xs">
        {number}
      </span>
    </div>
  )
}

function percent(share: number): string {
  return `${share * 100}%`
}

function bytesOf(dataUrl: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), char => char.charCodeAt(0))
}
