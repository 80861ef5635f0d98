import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { readHosts } from '../../state/network/policy.ts'
import { t } from '../../state/network/text.ts'
import { problemWords } from '../../state/network/words.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Input } from '../../ui/field/Input.tsx'

export interface HostFieldProps {
  listed: readonly string[]
  onAdd: (hosts: readonly string[]) => void
  fixedReason: string | null
  isDraft: boolean
}

/** Takes one host or, pasted or parted by commas, several. What does not fit stays in it, with why. */
export function HostField({ listed, onAdd, fixedReason, isDraft }: HostFieldProps) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  function add(typed: string) {
    const { hosts, refused } = readHosts(typed, listed)
    if (hosts.length > 0) onAdd(hosts)
    setText(refused.map(each => each.text).join(', '))
    setProblem(problemWords(refused))
  }
  // No form of its own: the fields stand in forms.
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    add(text)
  }
  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const pasted = event.clipboardData.getData('text')
    if (!/\S[\n,;]+\s*\S/.test(pasted)) return
    event.preventDefault()
    add(`${text} ${pasted}`)
  }
  return (
    <Field hidesLabel label={t('hostToAdd')} hint={t('hostHint')} error={problem}>
      <div className="flex gap-1.5">
        <Input
          mono
          dir="ltr"
          value={text}
          placeholder="registry.example.com"
          disabled={fixedReason !== null}
          onValueChange={typed => {
            setText(typed)
            setProblem(undefined)
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => isDraft && add(text)}
        />
        <Button className="h-8!" disabledReason={fixedReason} onClick={() => add(text)}>
          {t('add')}
        </Button>
      </div>
    </Field>
  )
}
