import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { nameIn, shownName } from '../../../../state/files/tree.ts'
import { languageOf } from '../../../../ui/code/languages.ts'
import { useColours } from '../../../../ui/code/use-colours.ts'
import { t } from '../files/text.ts'
import { type CodeEditor, createCodeEditor } from './code-editor.ts'

export interface TextEditorProps {
  ref: Ref<Pick<CodeEditor, 'text' | 'replace'>>
  path: string
  /** With what it begins. */
  text: string
  isReadOnly: boolean
  onChange: (text: string) => void
  onSave: () => void
}

/** The editor is a thing of its own in the page, which lives as long as this is shown. */
export function TextEditor({ ref, path, text, isReadOnly, onChange, onSave }: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor>(null)
  const [now, setNow] = useState(text)
  const lines = useColours(now.replaceAll('\r\n', '\n'), languageOf(path))
  const changed = useEffectEvent(() => {
    const next = editor.current?.text() ?? ''
    setNow(next)
    onChange(next)
  })
  const save = useEffectEvent(() => onSave())
  const start = useEffectEvent((parent: HTMLElement) =>
    createCodeEditor(parent, {
      text,
      isReadOnly,
      label: t('text', { name: shownName(nameIn(path)) }),
      onChange: () => changed(),
      onSave: () => save(),
    }),
  )
  useEffect(() => {
    if (!place.current) return
    const made = start(place.current)
    editor.current = made
    made.focus()
    return () => made.destroy()
  }, [])
  useEffect(() => editor.current?.colour(lines), [lines])
  useImperativeHandle(ref, () => ({
    text: () => editor.current?.text() ?? text,
    replace: next => editor.current?.replace(next),
  }))
  return <div ref={place} className="h-full min-h-0" />
}
