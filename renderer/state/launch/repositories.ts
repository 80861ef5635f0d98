import type { GitProvider } from '../../../server/api/v1/conversation/conversations.ts'
import type { LaunchDraft } from './launch.ts'

export interface RepositoryOption {
  name: string
  /** null for an address, and where a conversation did not say. */
  provider: GitProvider | null
  recent: boolean
}

/** Those of earlier conversations first, then what the providers have; each once. */
export function repositoryOptions(
  used: readonly { selected_repository: string | null; git_provider: GitProvider | null }[],
  found: readonly { full_name: string; git_provider: GitProvider }[],
): RepositoryOption[] {
  const options = [
    ...used.flatMap(({ selected_repository: name, git_provider }) =>
      name ? [{ name, provider: isPath(name) ? (git_provider ?? 'github') : null, recent: true }] : [],
    ),
    ...found.map(({ full_name: name, git_provider: provider }) => ({ name, provider, recent: false })),
  ]
  const names = options.map(keyOf)
  return options.filter((_, index) => names.indexOf(names[index] ?? '') === index)
}

/** What a name that was typed means: the option of that name, else the only provider there is. */
export function repositoryTyped(
  name: string,
  options: readonly RepositoryOption[],
  connected: readonly GitProvider[],
): Pick<LaunchDraft, 'repository' | 'provider' | 'branch'> {
  const option = options.find(each => each.name === name.trim())
  const only = connected.length === 1 && isPath(name.trim()) ? connected[0] : undefined
  return { repository: name, provider: option?.provider ?? only ?? '', branch: '' }
}

/** `owner/name`, which means nothing without a provider; an address does. */
export function isPath(repository: string): boolean {
  return /^[\w.~-]+(\/[\w.-]+)+$/.test(repository)
}

function keyOf({ name, provider }: RepositoryOption): string {
  return `${provider ?? ''} ${name}`
}
