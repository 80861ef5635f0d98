import { z } from 'zod'
import { modelOptions } from '../../api/model-options.ts'
import { clientTool } from '../../api/v1/conversation/client-tools.ts'
import { type AgentOptions, agentOptions, NO_AGENT_OPTIONS } from '../../domain/agent-options.ts'
import { type HooksConfig, hooksConfig } from '../../domain/hooks-config.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { type Skill, skill } from '../../domain/skill.ts'
import { subAgent } from '../../domain/sub-agent.ts'
import type { Database } from '../database/database.ts'
import { json } from '../database/json.ts'

/** What a client of the gateway asked for beyond what every conversation has. Holds no key. */
const conversationOptions = z.object({
  /** The model it named and where it is reached; null for the one of the settings. */
  llm: z
    .object({
      model: z.string(),
      base_url: z.string().nullable(),
      /** The name of the profile that it is of, whose key it gets. */
      profile: z.string().nullable().default(null),
      /** `other` when the key of a sandbox came with it. */
      named_by: z.enum(['person', 'other']).default('person'),
    })
    .nullable(),
  /** How its model is asked. */
  llm_options: modelOptions.default({}),
  /** The model that they are for, which the client or the settings named. */
  llm_options_for: z.string().nullable().default(null),
  tags: z.record(z.string(), z.string()),
  security_analyzer: z.string().nullable(),
  client_tools: z.array(clientTool).default([]),
  hook_config: hooksConfig.nullable().default(null),
  sub_agents: z.array(subAgent).default([]),
  skills: z.array(skill).default([]),
  agent: agentOptions.default(NO_AGENT_OPTIONS),
})
export type ConversationOptions = z.output<typeof conversationOptions>

export const NO_CONVERSATION_OPTIONS: ConversationOptions = conversationOptions.parse({
  llm: null,
  tags: {},
  security_analyzer: null,
})

const body = json(conversationOptions)

export class ConversationOptionsTable {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  get(id: ConversationId): ConversationOptions | undefined {
    const found = this.#database.get('SELECT body FROM gateway_conversation WHERE conversation_id = ?', [id])
    return found && this.#database.damaged.read('gateway_conversation', id, () => body.parse(found.body))
  }

  save(id: ConversationId, value: ConversationOptions): void {
    this.#database.run('INSERT OR REPLACE INTO gateway_conversation (conversation_id, body) VALUES (?, ?)', [
      id,
      JSON.stringify(value),
    ])
  }

  /** For a conversation that begins as another one is. */
  copy(from: ConversationId, to: ConversationId): void {
    const asked = this.get(from)
    if (asked) this.save(to, asked)
  }

  /** A sub-conversation has those of its parent, but for what its part in the work says itself. */
  agentFor(id: ConversationId, parentId: string | null): AgentOptions {
    const own = this.get(id)?.agent
    if (own) return own
    const parent = this.get((parentId ?? '') as ConversationId)?.agent
    return parent ? { ...parent, systemPrompt: null, titles: true } : NO_AGENT_OPTIONS
  }

  skillsFor(id: ConversationId, parentId: string | null): readonly Skill[] {
    return (this.get(id) ?? this.get((parentId ?? '') as ConversationId))?.skills ?? []
  }

  /** Those of its client; a sub-conversation works under those of its parent. */
  hooksFor(id: ConversationId, parentId: string | null): HooksConfig | null {
    return this.get(id)?.hook_config ?? this.get((parentId ?? '') as ConversationId)?.hook_config ?? null
  }
}
