import type { TestService } from '../service/service.ts'
import { watch } from './watch.ts'

/** Resolves with the conversation when its model will be asked again after a while. */
export async function untilRetry(service: TestService, id: string): Promise<string> {
  const seen = await watch(service, id)
  await seen.until(
    frame => frame.kind === 'ConversationStateUpdateEvent' && frame.key === 'llm_retry',
    'The wait for the next try',
  )
  await seen.close()
  return id
}
