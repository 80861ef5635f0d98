import type { AllowedKind } from '../../../../../server/api/v1/conversation/confirmation.ts'
import { updateAppConversation } from '../../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../../components/use-command.ts'
import {
  CONFIRMATION_CHOICES,
  CONFIRMATION_WORDS,
  choiceOf,
} from '../../../../state/conversation/confirmation-choice.ts'
import { Select } from '../../../../ui/field/Select.tsx'
import { useConfirmation } from '../../confirmation/use-confirmation.ts'
import { useOpenConversation } from '../../context.ts'
import { Section } from '../Section.tsx'
import { t } from '../text.ts'
import { AllowedKinds } from './AllowedKinds.tsx'

const OPTIONS = CONFIRMATION_CHOICES.map(value => ({ value, ...CONFIRMATION_WORDS[value] }))

/** When the agent waits for a person's word here; a change counts from the next step on. */
export function ConfirmationForm() {
  const { id, info } = useOpenConversation()
  const { choice, choose, isSaving } = useConfirmation()
  const take = useCommand((client, taken: AllowedKind) =>
    client.call(updateAppConversation, {
      params: { conversation_id: id },
      body: { always_allowed: info.always_allowed.filter(kind => kind.id !== taken.id).map(kind => kind.id) },
    }),
  )
  return (
    <Section title={t('confirmation')}>
      <Select
        aria-label={t('whenAgentAsks')}
        value={choice}
        options={OPTIONS}
        disabled={isSaving}
        onValueChange={choose}
      />
      {info.security_analyzer === null && choiceOf(info.confirmation_policy) === 'risky' && (
        <p className="mt-1 text-faint text-sm">{t('nothingRatesActionsHere')}</p>
      )}
      <AllowedKinds
        kinds={info.always_allowed}
        taking={take.isPending ? take.variables.id : null}
        onTake={kind => take.mutate(kind)}
      />
    </Section>
  )
}
