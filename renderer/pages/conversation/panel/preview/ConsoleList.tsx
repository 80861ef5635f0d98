import { Ban } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ConsoleMessage, Level } from '../../../../state/preview/console.ts'
import { IconButton } from '../../../../ui/Button.tsx'
import { t } from './text.ts'

const LOOKS: Record<Level, string> = {
  verbose: 'text-faint',
  info: '',
  warning: 'bg-wait-wash text-wait',
  error: 'bg-bad-wash text-bad',
}

/** What the page has written to its console since it was loaded, the newest last. */
export function ConsoleList({ messages, onClear }: { messages: readonly ConsoleMessage[]; onClear: () => void }) {
  const list = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what it moves for
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [newest])
  return (
    <section aria-label={t('console')} className="flex max-h-2/5 min-h-24 shrink-0 flex-col border-line border-t">
      <div className="flex items-center justify-between px-2 py-0.5">
        <h3 className="text-soft text-sm">{t('console')}</h3>
        <IconButton size="small" label={t('clearConsole')} icon={<Ban size={12} aria-hidden />} onClick={onClear} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <div ref={list} tabIndex={0} className="min-h-0 flex-1 overflow-auto outline-offset-[-2px]">
        {messages.length === 0 && <p className="px-2 pb-2 text-faint text-sm">{t('consoleEmpty')}</p>}
        <ul className="divide-y divide-line font-mono text-xs" dir="ltr">
          {messages.map(({ id, level, text, place, times }) => (
            <li key={id} className={`flex gap-2 px-2 py-0.5 ${LOOKS[level]}`}>
              <span className="min-w-0 flex-1 whitespace-pre-wrap break-words">{text}</span>
              {times > 1 && <span className="shrink-0 tabular">×{times}</span>}
              {place && (
                <span title={place} className="max-w-32 shrink-0 truncate text-faint">
                  {place.slice(place.lastIndexOf('/') + 1)}
                </span>
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
