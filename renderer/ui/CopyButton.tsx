import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './Button.tsx'
import { notifyError } from './overlay/toast.ts'
import { t } from './text.ts'

const SHOWN_MS = 1_500

/** Copies a text, which may have to be asked for, and says so for a moment. */
export function CopyButton({ text, label = t('copy') }: { text: string | (() => Promise<string>); label?: string }) {
  const [copied, setCopied] = useState(false)
  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setCopied(true)
      setTimeout(() => setCopied(false), SHOWN_MS)
    } catch (error) {
      notifyError(error)
    }
  }
  const icon = copied ? <Check size={13} aria-hidden className="text-good" /> : <Copy size={13} aria-hidden />
  return <IconButton size="small" label={copied ? t('copied') : label} icon={icon} onClick={copy} />
}
