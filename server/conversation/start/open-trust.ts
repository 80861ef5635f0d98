import type { ConversationId } from '../../domain/ids.ts'
import type { McpHub } from '../../mcp/hub.ts'
import type { ConversationSecrets } from '../../secret/conversation-secrets.ts'
import { ConversationRepositoryTable } from '../../store/conversation/repositories.ts'
import type { SubAgentTable } from '../../store/conversation/sub-agents.ts'
import type { Database } from '../../store/database/database.ts'
import { TrustedRepositoryTable } from '../../store/trusted-repositories.ts'
import { RepositoryTrust } from '../../trust/repository-trust.ts'
import { ServerAdmission } from '../tools/server-admission.ts'
import { RepositorySetUp } from './repository-set-up.ts'

type SetUpParts = ConstructorParameters<typeof RepositorySetUp>[0]

interface TrustParts extends Omit<SetUpParts, 'trust' | 'environmentOf' | 'mask' | 'toolServerItems' | 'trustChanged'> {
  database: Database
  mask: SetUpParts['mask'] & { mask: (text: string) => string }
  secrets: ConversationSecrets
  subAgents: Pick<SubAgentTable, 'get'>
  parentOf: (id: string) => string | null
  /** It is opened later. */
  hub: () => McpHub
}

/** Who is trusted, and what is done about it. */
export function openTrust(given: TrustParts) {
  const { database, mask, secrets, subAgents, parentOf, bus, conversations, hub } = given
  const trust = new RepositoryTrust({
    trusted: new TrustedRepositoryTable(database),
    conversations: new ConversationRepositoryTable(database),
    variables: id => secrets.allOf(id).variables(),
    subAgentOf: id => subAgents.get(id),
    parentOf: id => parentOf(id) as ConversationId | null,
    mask: mask.mask,
    bus,
  })
  const setUp: RepositorySetUp = new RepositorySetUp({
    ...given,
    trust,
    environmentOf: id => secrets.environmentOf(id),
    toolServerItems: (id, place) => admission.itemsOf(id, place),
    trustChanged: ids => hub().trustChanged(ids),
  })
  // Those of skills get no secrets.
  const serversOf = async (id: ConversationId) =>
    (await hub().configured(id)).filter(({ source }) => source !== 'skill')
  const admission = new ServerAdmission({ trust, setUp, serversOf, conversations })
  return { trust, setUp, admission }
}
