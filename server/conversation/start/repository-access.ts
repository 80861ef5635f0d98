import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import { isAccessRefused } from '../../git/reachable.ts'
import { parseRepository } from '../../git/repository.ts'
import type { GitCall } from '../../git-providers/providers.ts'
import type { TokenSource } from '../../git-providers/token-source.ts'

interface Tokens extends TokenSource {
  hostOf(provider: GitProvider): string | null
}

/** Whether the repository's own server refuses to show it with what is stored. @throws AppError bad_request, or of the vault */
export async function isRepositoryRefused(
  { repository, provider }: { repository: string; provider: GitProvider },
  tokens: Tokens,
  call: GitCall,
): Promise<boolean> {
  const { url } = parseRepository(repository, provider, tokens.hostOf(provider))
  return isAccessRefused(url, tokens, call)
}
