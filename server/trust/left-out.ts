import type { ConversationTrustItem } from '../api/v1/conversation/repository-trust.ts'

/** What of an item a conversation does without; null for one that has all. */
export interface LeftOut {
  item: ConversationTrustItem
  /** A sentence for a person and for the agent. */
  sentence: string
}

export interface SetUpSoFar {
  /** Variables of the secrets that the set-up script has run with; null when it has not run. */
  set_up_with: readonly string[] | null
  /** Content of the git hook that is installed. */
  installed_hook: string | null
  /** Content of the services that were started. */
  services_started: string | null
}

/** @param hasSecrets whether there is any secret that a sub-agent could use */
export function leftOut(
  items: readonly ConversationTrustItem[],
  done: SetUpSoFar,
  { hasSecrets }: { hasSecrets: boolean },
): LeftOut[] {
  return items.flatMap(item => {
    const sentence = sentenceFor(item, done, hasSecrets)
    return sentence === null ? [] : [{ item, sentence: item.problem ? `${sentence} ${item.problem}` : sentence }]
  })
}

function sentenceFor(item: ConversationTrustItem, done: SetUpSoFar, hasSecrets: boolean): string | null {
  switch (item.role) {
    case 'setup_script': {
      const missing = item.secrets.filter(name => !done.set_up_with?.includes(name))
      if (missing.length === 0) return null
      return `${item.path} ${done.set_up_with === null ? 'did not run with' : 'ran without'} ${list(missing)}.`
    }
    case 'pre_commit':
      return done.installed_hook === item.sha256 ? null : `${item.path} is not installed as a git hook.`
    case 'services':
      return done.services_started === item.sha256
        ? null
        : `The services in ${item.path} are not started by themselves.`
    case 'tool_server':
      return item.trusted
        ? null
        : `The tool server ${item.path} is not started: it would run files of the repository with ${list(item.secrets)}.`
    case 'skill':
      return item.trusted ? null : `The commands in the text of ${item.path} are not run.`
    case 'sub_agent':
      return item.trusted || !hasSecrets ? null : `The sub-agent in ${item.path} gets no secrets.`
  }
}

export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** What is done when a person asks for what was left out. */
export function offerFor({ role, path, secrets }: { role: string; path: string; secrets: readonly string[] }): string {
  if (role === 'services') return `Start the services in ${path}.`
  return role === 'pre_commit' ? `Install ${path} as a git hook.` : `Run ${path} with ${list(secrets)}.`
}
