import { useQuery } from '@tanstack/react-query'
import type { ConversationTrust } from '../../../../../server/api/v1/conversation/repository-trust.ts'
import { repositoryTrustQuery } from '../../../../api/queries.ts'
import { useTrustRepository } from '../../../../api/repository-trust.ts'
import { useClient } from '../../../../api/session.ts'
import { Button } from '../../../../ui/Button.tsx'
import { useOpenConversation } from '../../context.ts'
import { TrustItem } from '../../trust/TrustItem.tsx'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'

const WORDS: Record<ConversationTrust['state'], string> = {
  nothing: t('nothingInItNeeds'),
  trusted: t('youTrustThisVersion'),
  waiting: t('notTrusted'),
  postponed: t('notTrustedByChoice'),
}

/** What of the repository runs by itself; here trust can be given after all. */
export function TrustPart() {
  const { id } = useOpenConversation()
  const { data: trust } = useQuery(repositoryTrustQuery(useClient(), id))
  const give = useTrustRepository()
  if (!trust || trust.items.length === 0) return null
  const { repository, digest, state, left_out, items } = trust
  return (
    <Section title={t('repositoryTrust')}>
      <p className="text-soft text-sm">{WORDS[state]}</p>
      {left_out.map(sentence => (
        <p key={sentence} className="text-soft text-sm [overflow-wrap:anywhere]">
          {sentence}
        </p>
      ))}
      <ul className="divide-y divide-line">
        {items.map(item => (
          <TrustItem key={`${item.role} ${item.path}`} item={item} />
        ))}
      </ul>
      {state === 'waiting' || state === 'postponed' ? (
        <Button
          size="small"
          className="self-start"
          busy={give.isPending}
          onClick={() => give.mutate({ repository, digest })}
        >
          {t('trust')}
        </Button>
      ) : null}
    </Section>
  )
}
