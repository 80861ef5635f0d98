import type { RepositoryItem } from '../../api/v1/conversation/repository-trust.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { type Admission, admit, carryingSecrets, type ServerByName } from '../../mcp/admission.ts'
import type { ServerOwner } from '../../mcp/hub.ts'
import { McpFailure } from '../../mcp/problem.ts'
import type { ConversationTable } from '../../store/conversation/conversations.ts'
import type { RepositoryLocation } from '../../trust/read-files.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'
import { inspectToolServer } from '../../trust/tool-server.ts'
import type { RepositorySetUp } from '../start/repository-set-up.ts'

interface Dependencies {
  trust: RepositoryTrust
  setUp: Pick<RepositorySetUp, 'refresh'>
  /** @throws AppError of the vault */
  serversOf: (id: ConversationId) => Promise<ServerByName[]>
  conversations: Pick<ConversationTable, 'get'>
}

/** Tool servers that carry secrets run files of a repository only where a person trusts them. */
export class ServerAdmission {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** One that is refused becomes a question of its conversation. @throws McpFailure, or AppError of the sandbox */
  readonly admit = async (
    owner: ServerOwner,
    named: ServerByName,
    { sandbox, signal }: { sandbox: SandboxHandle; signal: AbortSignal },
  ): Promise<Admission> => {
    const { trust, setUp, conversations } = this.#dependencies
    const conversation = conversations.get(owner.id as ConversationId)
    const record = conversation && trust.record(conversation.id)
    const isTrusted = (item: RepositoryItem) =>
      record !== undefined && trust.isTrusted(record.repository, item, item.carries)
    const folder = owner.working_dir ?? sandbox.workingDir
    const secrets = trust.secretNames(owner.id as ConversationId)
    try {
      return await admit(named, { sandbox, folder, secrets, isTrusted, signal })
    } catch (error) {
      const isQuestion = error instanceof McpFailure && error.problem.error_kind === 'trust'
      if (conversation && isQuestion) await setUp.refresh(conversation, signal)
      throw error
    }
  }

  /** What the tool servers of a conversation run of its repository. @throws AppError of the sandbox or of the vault */
  async itemsOf(id: ConversationId, place: RepositoryLocation): Promise<RepositoryItem[]> {
    const { trust, serversOf } = this.#dependencies
    const secrets = trust.secretNames(id)
    const servers = (await serversOf(id)).filter(({ server }) => server.enabled)
    const items = await Promise.all(
      servers.map(named => {
        const given = carryingSecrets(named, secrets)
        return given && inspectToolServer(given, place)
      }),
    )
    return items.filter(item => item !== null)
  }
}
