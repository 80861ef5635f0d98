import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { getConversationBrowser } from '../../server/api/v1/conversation/browser.ts'
import { listAppConversations, searchAppConversations } from '../../server/api/v1/conversation/conversations.ts'
import { inspectFolder } from '../../server/api/v1/conversation/folder/folders.ts'
import { getRepositoryTrust, listTrustedRepositories } from '../../server/api/v1/conversation/repository-trust.ts'
import { getConversationHooks, getConversationSkills } from '../../server/api/v1/conversation/skills.ts'
import { batchGetStartTasks, searchStartTasks } from '../../server/api/v1/conversation/start-tasks.ts'
import { getConversationChanges, getConversationDiff } from '../../server/api/v1/conversation/workspace.ts'
import { getSandboxStats, type SandboxStats, searchSandboxes } from '../../server/api/v1/sandbox/sandboxes.ts'
import { searchSandboxSpecs } from '../../server/api/v1/sandbox/specs.ts'
import { listLlmProfilesV1 } from '../../server/api/v1/settings/llm-profiles.ts'
import { listMcpServers } from '../../server/api/v1/settings/mcp-states.ts'
import { listSecrets } from '../../server/api/v1/settings/secrets.ts'
import { getSettingsV1, type SettingsReply } from '../../server/api/v1/settings/settings.ts'
import { listLogins } from '../../server/api/v1/system/logins.ts'
import { detectModels, getSystem, listModels, recheckSystem } from '../../server/api/v1/system/system.ts'
import { getUsage } from '../../server/api/v1/system/usage.ts'
import { ApiError } from '../../server/client/api-error.ts'
import type { Client } from '../../server/client/client.ts'
import { keys } from './query-keys.ts'

export const systemQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.system,
    queryFn: ({ signal }) => client.call(getSystem, { signal }),
    // Memory and sandboxes are pushed; this only bounds how long a lost frame can be unseen.
    refetchInterval: 30_000,
  })

/** What would be copied of a folder of this computer. */
export const folderQuery = (client: Client, path: string) =>
  queryOptions({
    queryKey: keys.folder(path),
    queryFn: ({ signal }) => client.call(inspectFolder, { body: { path }, signal }),
    retry: false,
    // Files change outside of the window.
    staleTime: 0,
    gcTime: 0,
  })

/** Looks again by itself for as long as it is used; what it finds is the system's state. */
export const recheckQuery = (client: Client, queryClient: QueryClient) =>
  queryOptions({
    queryKey: keys.recheck,
    queryFn: async ({ signal }) => {
      const system = await client.call(recheckSystem, { signal })
      queryClient.setQueryData(keys.system, system)
      return system.engine.state
    },
    refetchInterval: 5_000,
    gcTime: 0,
  })

/** null before anything was ever stored: the first run. */
export const settingsQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.settings,
    queryFn: async ({ signal }): Promise<SettingsReply | null> => {
      try {
        return await client.call(getSettingsV1, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })

/** Names and descriptions; values never leave the service. */
export const secretsQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.secrets,
    queryFn: ({ signal }) => client.call(listSecrets, { signal }),
    select: reply => reply.custom_secrets,
  })

/** Models that were saved under a name; their keys never leave the service. */
export const profilesQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.profiles,
    queryFn: ({ signal }) => client.call(listLlmProfilesV1, { signal }),
  })

export const modelsQuery = (client: Client) =>
  queryOptions({
    queryKey: [...keys.models, 'known'],
    queryFn: ({ signal }) => client.call(listModels, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    select: reply => reply.items,
  })

export const localModelsQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.localModels,
    queryFn: ({ signal }) => client.call(detectModels, { signal }),
    refetchInterval: 5_000,
    select: reply => reply.servers,
  })

/** Newest activity first. @param only those that a person has put first, or into the archive */
export const conversationListQuery = (client: Client, title: string, only: 'pinned' | 'archived' | null = null) =>
  infiniteQueryOptions({
    queryKey: keys.conversationList(title, only),
    queryFn: ({ signal, pageParam }) =>
      client.call(searchAppConversations, {
        query: {
          sort_order: 'UPDATED_AT_DESC',
          limit: 100,
          page_id: pageParam,
          title__contains: title || null,
          ...(only && { [`${only}__eq`]: true }),
          include_sub_conversations: true,
        },
        signal,
      }),
    initialPageParam: nullPage(),
    getNextPageParam: last => last.next_page_id,
  })

/** null for an unknown conversation. */
export const conversationQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.conversation(id),
    queryFn: async ({ signal }) => {
      const reply = await client.call(listAppConversations, { query: { ids: [id] }, signal })
      return (Array.isArray(reply) ? reply[0] : undefined) ?? null
    },
  })

/** Their states are not pushed; whoever looks at them asks now and then. */
export const toolServersQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.toolServers(id),
    queryFn: ({ signal }) => client.call(listMcpServers, { params: { conversation_id: id }, signal }),
    refetchInterval: 5_000,
    select: reply => reply.items,
  })

/**
 * What git sees in the sandbox; nothing where there is no repository. Asked anew when the agent begins and when it ends,
 * and now and then between.
 */
export const gitChangesQuery = (client: Client, id: string, working: boolean) =>
  queryOptions({
    queryKey: keys.gitChanges(id, working),
    queryFn: ({ signal }) => client.call(getConversationChanges, { params: { conversation_id: id }, signal }),
    refetchInterval: working ? 5_000 : false,
    placeholderData: keepPreviousData,
    // A run may be over within the time for which other answers count as fresh.
    staleTime: 0,
  })

export const gitDiffQuery = (client: Client, id: string, path: string, working: boolean) =>
  queryOptions({
    queryKey: keys.gitDiff(id, path, working),
    queryFn: ({ signal }) =>
      client.call(getConversationDiff, { params: { conversation_id: id }, query: { path }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Looked for in the sandbox, and again where there is none: it can be installed. */
export const browserQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.browser(id),
    queryFn: ({ signal }) => client.call(getConversationBrowser, { params: { conversation_id: id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'missing' ? 20_000 : 5_000),
  })

export const skillsQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.instructions(id, 'skills'),
    queryFn: ({ signal }) => client.call(getConversationSkills, { params: { conversation_id: id }, signal }),
  })

export const hooksQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.instructions(id, 'hooks'),
    queryFn: ({ signal }) => client.call(getConversationHooks, { params: { conversation_id: id }, signal }),
  })

/** What of the repository runs by itself, and what it was not given. */
export const repositoryTrustQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.repositoryTrust(id),
    queryFn: ({ signal }) => client.call(getRepositoryTrust, { params: { conversation_id: id }, signal }),
  })

export const trustedRepositoriesQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.trustedRepositories,
    queryFn: ({ signal }) => client.call(listTrustedRepositories, { signal }),
    select: reply => reply.items,
  })

export const loginsQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.logins,
    queryFn: ({ signal }) => client.call(listLogins, { signal }),
    select: reply => reply.items,
  })

export const usageQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.usage,
    queryFn: ({ signal }) => client.call(getUsage, { query: { days: 30 }, signal }),
  })

/** Newest first; those that go on are shown, so that a start can be left and found again. */
export const openStartTasksQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.openStartTasks,
    queryFn: ({ signal }) => client.call(searchStartTasks, { query: { limit: 10 }, signal }),
    select: reply => reply.items.filter(task => task.status !== 'READY' && task.status !== 'ERROR'),
  })

/** null for an unknown task. */
export const startTaskQuery = (client: Client, id: string) =>
  queryOptions({
    queryKey: keys.startTask(id),
    queryFn: async ({ signal }) => {
      const [task] = await client.call(batchGetStartTasks, { query: { ids: [id] }, signal })
      return task ?? null
    },
  })

export const sandboxListQuery = (client: Client) =>
  infiniteQueryOptions({
    queryKey: keys.sandboxList,
    queryFn: ({ signal, pageParam }) => client.call(searchSandboxes, { query: { page_id: pageParam }, signal }),
    initialPageParam: nullPage(),
    getNextPageParam: last => last.next_page_id,
    select: data => data.pages.flatMap(({ items }) => items),
  })

/** By sandbox id; only those that run have figures. */
export const sandboxStatsQuery = (client: Client, ids: string[]) =>
  queryOptions({
    queryKey: keys.sandboxStats(ids),
    queryFn: ({ signal }) => client.call(getSandboxStats, { query: { id: ids }, signal }),
    enabled: ids.length > 0,
    refetchInterval: 3_000,
    // This very function: with one made anew, the result would be new on every render, and the page would never rest.
    placeholderData: keepPreviousData,
    select: byId,
  })

export const specsQuery = (client: Client) =>
  queryOptions({
    queryKey: keys.specs,
    queryFn: ({ signal }) => client.call(searchSandboxSpecs, { query: {}, signal }),
    staleTime: 60_000,
    select: reply => reply.items,
  })

function byId(reply: readonly (SandboxStats | null)[]): Record<string, SandboxStats> {
  return Object.fromEntries(reply.flatMap(stats => (stats ? [[stats.sandbox_id, stats] as const] : [])))
}

function nullPage(): string | null {
  return null
}
