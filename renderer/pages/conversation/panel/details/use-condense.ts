import { condenseConversation } from '../../../../../server/api/v1/conversation/actions.ts'
import { useCommand } from '../../../../components/use-command.ts'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'

/** Sums up the earlier steps before the next one. */
export function useCondense() {
  const { id } = useOpenConversation()
  return useCommand(async client => {
    await client.call(condenseConversation, { params: { conversation_id: id } })
    notifyDone(t('earlierStepsAreSummedUp'))
  })
}
