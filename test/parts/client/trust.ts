import {
  type ConversationTrust,
  getRepositoryTrust,
  type TrustedRepository,
  trustRepository,
} from '../../../server/api/v1/conversation/repository-trust.ts'
import type { TestService } from '../service/service.ts'

export function trustOf(service: Pick<TestService, 'client'>, conversation_id: string): Promise<ConversationTrust> {
  return service.client.call(getRepositoryTrust, { params: { conversation_id }, query: { refresh: true } })
}

/** As a person does who was shown what runs. */
export async function trustRepositoryOf(service: Pick<TestService, 'client'>, id: string): Promise<TrustedRepository> {
  const { repository, digest } = await trustOf(service, id)
  return service.client.call(trustRepository, { body: { repository, digest } })
}
