import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { SecretText } from '../../../../ui/field/SecretText.tsx'
import { t } from '../text.ts'

/** Output as it was printed: monospace, scrolling by itself, with a button that copies all of it. */
export function TextBlock({ text, label, tone = 'plain' }: { text: string; label: string; tone?: 'plain' | 'bad' }) {
  return (
    <div className="group/block relative overflow-hidden rounded-md border border-line bg-sunken">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className={`max-h-80 overflow-auto whitespace-pre-wrap px-3 py-2 font-mono text-sm leading-[18px] [overflow-wrap:anywhere] ${tone === 'bad' ? 'text-bad' : 'text-ink'}`}
      >
        <SecretText text={text} />
      </pre>
      <span className="absolute top-1 end-2 rounded-sm bg-sunken opacity-0 focus-within:opacity-100 group-hover/block:opacity-100">
        <CopyButton text={text} label={t('copyLabel', { label: label.toLowerCase() })} />
      </span>
    </div>
  )
}
