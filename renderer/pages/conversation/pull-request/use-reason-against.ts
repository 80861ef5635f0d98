import { runRules } from '../composer/run-rules.ts'
import { useOpenConversation } from '../context.ts'
import { useSandbox } from '../use-sandbox.ts'
import { t } from './text.ts'

/** Why nothing can be changed in the sandbox now; null when it can. */
export function useReasonAgainst(): string | null {
  const { info, status } = useOpenConversation()
  const sandbox = useSandbox()
  const { working, sendReason } = runRules(status, info)
  if (working) return t('agentWorks')
  return sendReason ?? (sandbox.isUsable ? null : t('sandboxDoesNotRun'))
}
