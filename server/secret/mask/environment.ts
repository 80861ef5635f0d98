import type { GitProvider } from '../../api/v1/conversation/conversations.ts'
import { providerOf } from '../../git-providers/providers.ts'
import type { ProviderTokenRow } from '../../store/provider-tokens.ts'
import type { CustomSecrets } from '../custom-secrets.ts'
import type { ProviderTokens } from '../provider-tokens.ts'
import type { VaultItems } from '../vault/items.ts'
import { names, variableOf } from './variable-names.ts'

/** A secret as the agent's prompt lists it. */
export interface SecretVariable {
  variable: string
  description: string
}

/** Values for the commands that name them, as environment variables. */
export interface SecretEnvironment {
  /** What there is, without values. */
  variables(): SecretVariable[]
  /**
   * Those that the command names.
   * @throws AppError when it names one and the vault does not answer, or a token cannot be renewed
   */
  forCommand(command: string, signal?: AbortSignal): Promise<Record<string, string>>
}

const TOKEN_VARIABLES: Readonly<Record<GitProvider, string>> = {
  github: 'GITHUB_TOKEN',
  gitlab: 'GITLAB_TOKEN',
  bitbucket: 'BITBUCKET_TOKEN',
  enterprise_sso: 'ENTERPRISE_SSO_TOKEN',
}

export function createSecretEnvironment(dependencies: {
  secrets: CustomSecrets
  tokens: ProviderTokens
  items: VaultItems
}): SecretEnvironment {
  const { secrets, tokens, items } = dependencies
  /** A secret that the user named like a provider's variable wins over the provider's token. */
  const all = () => {
    const own = secrets.rows().map(({ name, description, vault_item }) => {
      const read = () => items.read(vault_item)
      return { name, variable: variableOf(name), description, vault_item, read }
    })
    const taken = new Set(own.map(({ variable }) => variable))
    const provided = tokens.rows().map(row => {
      const { provider, vault_item } = row
      const variable = TOKEN_VARIABLES[provider]
      const read = () => tokens.token(row)
      return { name: variable, variable, description: describe(row, variable), vault_item, read }
    })
    return [...own, ...provided.filter(({ variable }) => !taken.has(variable))]
  }
  return {
    variables: () => all().map(({ variable, description }) => ({ variable, description })),
    forCommand: async command => {
      const found = all()
      // Every known value is hidden in what a command shows, whether it was named or not.
      await items.learn(found.map(({ vault_item }) => vault_item))
      const environment: Record<string, string> = {}
      for (const { name, variable, read } of found) {
        if (!names(command, name)) continue
        const value = await read()
        if (value !== null) environment[variable] = value
      }
      return environment
    },
  }
}

/** With the way to push that leaves no token in a remote's URL, where git would store it. */
function describe(row: ProviderTokenRow, variable: string): string {
  const { provider, host } = row
  const known = providerOf(row)
  if (!known) return `Access token for ${provider}.`
  const { username } = known.credentials('token')
  const helper = `!f() { echo username=${username}; echo "password=$${variable}"; }; f`
  return `Access token for ${known.title} at ${host?.trim() || known.host}. To push, call the tool push_branch; if you do not have it: git -c credential.helper='${helper}' push`
}
