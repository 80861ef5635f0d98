import type { ConversationId } from '../ids.ts'
import type { ConversationSecrets } from '../secret/conversation-secrets.ts'
import { ConversationRepositoryTable } from '../store/conversation-repositories.ts'
import type { Database } from '../store/database.ts'
import type { SubAgentTable } from '../store/sub-agents.ts'
import { TrustedRepositoryTable } from '../store/trusted-repositories.ts'
import { RepositoryTrust } from '../trust/repository-trust.ts'
import { RepositorySetUp } from './repository-set-up.ts'

interface Given extends Omit<ConstructorParameters<typeof RepositorySetUp>[0], 'trust' | 'environmentOf' | 'mask'> {
  database: Database
  mask: ConstructorParameters<typeof RepositorySetUp>[0]['mask'] & { mask: (text: string) => string }
  secrets: ConversationSecrets
  subAgents: Pick<SubAgentTable, 'get'>
  parentOf: (id: string) => string | null
}

/** Who is trusted, and what is done about it. */
export function openTrust(given: Given): { trust: RepositoryTrust; setUp: RepositorySetUp } {
  const { database, mask, secrets, subAgents, parentOf, bus } = given
  const trust = new RepositoryTrust({
    trusted: new TrustedRepositoryTable(database),
    conversations: new ConversationRepositoryTable(database),
    variables: id => secrets.allOf(id).variables(),
    subAgentOf: id => subAgents.get(id),
    parentOf: id => parentOf(id) as ConversationId | null,
    mask: mask.mask,
    bus,
  })
  const setUp = new RepositorySetUp({ ...given, trust, environmentOf: id => secrets.environmentOf(id) })
  return { trust, setUp }
}
