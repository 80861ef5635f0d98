import { ShieldQuestionMark } from 'lucide-react'
import { useRef } from 'react'
import type { ConversationTrust } from '../../../../server/api/v1/conversation/repository-trust.ts'
import { usePostponeTrust, useTrustRepository } from '../../../api/repository-trust.ts'
import { useShortcuts } from '../../../state/shortcuts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import { TrustItem } from './TrustItem.tsx'
import { t } from './text.ts'

/** Asks once whether a repository may have secrets, and shows what would get them. It waits beside the work. */
export function TrustCard({ id, trust }: { id: string; trust: ConversationTrust }) {
  const card = useRef<HTMLElement>(null)
  const give = useTrustRepository()
  const postpone = usePostponeTrust(id)
  const focusCard = () => card.current?.focus()
  useShortcuts({ F9: focusCard })
  const { repository, digest } = trust
  const asked = trust.items.filter(item => !item.trusted)
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={t('trustOfThisRepository')}
      className="flex max-h-[min(45vh,380px)] flex-col rounded-lg border-2 border-wait bg-raised shadow-float outline-offset-2"
    >
      <div role="status" className="flex items-start gap-2 border-line border-b bg-wait-wash px-3 py-2">
        <ShieldQuestionMark size={15} strokeWidth={2.5} aria-hidden className="mt-0.75 shrink-0 text-wait" />
        <h2 className="min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]">{t('doYouTrust', { repository })}</h2>
      </div>
      <section
        aria-label={t('whatRunsAutomatically')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="scroll-edges flex min-h-0 flex-col gap-2 overflow-y-auto px-3 py-2"
      >
        <p className="text-soft">{t('trustQuestion')}</p>
        <ul className="divide-y divide-line">
          {asked.map(item => (
            <TrustItem key={`${item.role} ${item.path}`} item={item} />
          ))}
        </ul>
      </section>
      <div className="flex flex-wrap items-center gap-2 border-line border-t px-3 py-2">
        <Button look="primary" busy={give.isPending} onClick={() => give.mutate({ repository, digest })}>
          {t('trust')}
        </Button>
        <Button busy={postpone.isPending} onClick={() => postpone.mutate()}>
          {t('notNow')}
        </Button>
        <span className="text-faint text-sm">{t('youAreAskedAgain')}</span>
        <span className="ms-auto text-faint text-xs">{t.rich('keyToFocus', { key: () => <Kbd keys="F9" /> })}</span>
      </div>
    </section>
  )
}
