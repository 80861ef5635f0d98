import { SquarePlus, Trash2, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { readImages } from '../../../../state/launch/attached-files.ts'
import { useComposerAttachments } from '../../../../state/launch/composer-attachments.ts'
import { shownAddress } from '../../../../state/preview/address.ts'
import { type ConsoleMessage, countErrors, errorsFor, fenced } from '../../../../state/preview/console.ts'
import { addedMark, drawMarks, type Mark } from '../../../../state/preview/marks.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Checkbox } from '../../../../ui/field/Checkbox.tsx'
import { FullDialog } from '../../../../ui/overlay/FullDialog.tsx'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { Marking } from './Marking.tsx'
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
  const { append } = useComposerAttachments(id)
  const [marks, setMarks] = useState<readonly Mark[]>([])
  /** The mark that is to have the focus. */
  const [wanted, setWanted] = useState<number | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const [withErrors, setWithErrors] = useState(true)
  const errors = errorsFor(messages)
  const count = countErrors(messages)

  async function attach() {
    const name = `${shownAddress(address)}.png`
    const file = new File([bytesOf(await drawMarks(picture, marks))], name, { type: 'image/png' })
    const { images, refused } = await readImages([file])
    const [refusal] = [...refused, ...append({ images })]
    if (refusal) throw new Error(t('pictureRefused', { reason: refusal.reason }))
    const shown = marks.length > 0 ? t('pictureShowsMarked', { address }) : t('pictureShows', { address })
    const told = withErrors && errors !== '' ? [`${t('errorsOfConsole')}\n${fenced(errors)}`] : []
    const text = [shown, ...told].join('\n\n')
    append({ notes: [{ id: crypto.randomUUID(), name: shownAddress(address), text }] })
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
            ref={addButton}
            size="small"
            icon={<SquarePlus size={13} aria-hidden />}
            onClick={() => {
              setMarks([...marks, addedMark(marks)])
              setWanted(marks.length)
            }}
          >
            {t('addMark')}
          </Button>
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
      <Marking
        picture={picture}
        marks={marks}
        wanted={wanted}
        onFocused={() => setWanted(null)}
        onMark={mark => setMarks([...marks, mark])}
        onChange={(index, mark) => setMarks(marks.with(index, mark))}
        onRemove={index => {
          setMarks(marks.toSpliced(index, 1))
          if (marks.length === 1) addButton.current?.focus()
          else setWanted(Math.max(0, index - 1))
        }}
      />
    </FullDialog>
  )
}

function bytesOf(dataUrl: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), char => char.charCodeAt(0))
}
