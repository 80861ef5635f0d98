import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import { isAccessRefused } from '../../git/reachable.ts'
import { parseRepository } from '../../git/repository.ts'
import type { GitCall } from '../../git-providers/providers.ts'
import type { TokenSource } from '../../git-providers/token-source.ts'

/** Whether the repository's own server refuses to show it with what is stored. @throws AppError bad_request, or of the vault */
export async function isRepositoryRefused(
  { repository, provider }: { repository: string; provider: GitProvider },
  tokens: TokenSource,
  call: GitCall,
): Promise<boolean> {
  const stored = tokens.rows().find(row => row.provider === provider)
  const { url } = parseRepository(repository, provider, stored)
  return isAccessRefused(url, tokens, call)
}
