import { z } from 'zod'
import { agentToolOf } from '../agent-tools.ts'
import { argumentText } from '../event/argument-text.ts'
import { imageContent, messageText } from '../event/content.ts'
import { lineText } from '../input-text.ts'
import { noOtherFields, refused } from '../refused-fields.ts'
import { clientTools } from '../v1/conversation/client-tools.ts'
import { conversationTitle, uuid } from '../v1/conversation/params.ts'
import { conversationSecrets } from '../v1/conversation/secrets.ts'
import { agentSource } from './agent.ts'
import { gatewayAnalyzer } from './analyzers.ts'

/** What older web clients send for a picture. */
const imageUrlContent = z
  .object({
    type: z.literal('image_url'),
    image_url: z
      .object({ url: z.string().describe('`data:` URL of the image, or an address that begins with https://.') })
      .describe('The image.'),
  })
  .transform(({ image_url }) => ({ type: 'image' as const, image_urls: [image_url.url] }))

/** The agent is always spoken to by its user, whatever role a client names. */
export const gatewayMessage = z.object({
  role: z.enum(['user', 'system', 'assistant', 'tool']).default('user').describe('Who speaks; a person is `user`.'),
  content: z
    .array(z.union([messageText, imageContent, imageUrlContent]))
    .default([])
    .describe('Texts and images in their order.'),
  run: z.boolean().default(false).describe('Whether the agent starts to work if it does not already.'),
})
export type GatewayMessage = z.output<typeof gatewayMessage>

const workspace = z
  .object({
    kind: z.string().nullish().describe('Kind of the workspace; any is taken as a folder of the sandbox.'),
    type: z.string().nullish().describe('The same under the name that some clients use.'),
    working_dir: argumentText(4096).min(1).describe('Absolute path of the folder to work in; made when it is missing.'),
  })
  .catchall(noOtherFields)

/** `type` is an alias that existing clients send. */
export const confirmationPolicy = z.looseObject({
  kind: z.string().nullish().describe('`AlwaysConfirm`, `NeverConfirm` or `ConfirmRisky`; 400 for another.'),
  type: z.string().nullish().describe('The same under the name that some clients use.'),
})
export type ConfirmationPolicy = z.output<typeof confirmationPolicy>

export const tags = z.record(z.string().regex(/^[a-z0-9]+$/), z.string().max(256))

/** A kind of sub-agent for the `task` tool. `model` is `provider/model` or `inherit`; without `tools` it has all. */
const unsupportedField = (what: string) =>
  z.unknown().optional().describe(`Not carried out: 501 for anything but nothing. ${what}`)

const agentDefinition = z
  .object({
    name: lineText(200).min(1).describe('Name by which a task is given to this sub-agent.'),
    description: z.string().nullish().describe('What the sub-agent is for; the model decides by this.'),
    system_prompt: z.string().nullish().describe('Instructions of the sub-agent, beside the common ones.'),
    model: lineText(500).nullish().describe("Model of the sub-agent; `inherit` or absent is the conversation's."),
    tools: z
      .array(z.string())
      .nullish()
      .describe('Names of the tools that it may use; absent or empty is all of them.'),
    max_iteration_per_run: z
      .int()
      .min(1)
      .nullish()
      .describe("Steps that it may take for one task; absent is the conversation's limit."),
    max_budget_per_run: z
      .number()
      .positive()
      .nullish()
      .describe("US dollars that one task may cost; absent is the conversation's budget."),
    skills: unsupportedField('Say in system_prompt what the sub-agent must know.'),
    permission_mode: unsupportedField('The confirmation policy of the conversation holds.'),
    mcp_config: unsupportedField('The tool servers of the conversation are there.'),
    hooks: unsupportedField('The hooks of the conversation are run.'),
    color: z.string().max(100).nullish().describe('Colour for people; the window has one for all.'),
    when_to_use_examples: z
      .array(z.string())
      .max(50)
      .nullish()
      .describe('Examples for people; the description says it.'),
    metadata: z.record(z.string(), z.unknown()).nullish().describe('Notes for people.'),
  })
  .catchall(noOtherFields)
export type AgentDefinition = z.output<typeof agentDefinition>

export const startConversationRequest = z
  .object({
    agent: agentSource.nullish().describe('Agent of the conversation, with its model and tool servers.'),
    agent_settings: agentSource
      .nullish()
      .describe('The same under the name that newer clients use, read when `agent` is absent.'),
    agent_profile_id: z
      .string()
      .nullish()
      .describe('Not supported, as there are no agent profiles: answered with 404.'),
    workspace: workspace.describe('Folder of the sandbox that the agent works in.'),
    conversation_id: uuid
      .nullish()
      .describe('Id for the conversation; one that exists is attached to. Absent lets the service choose.'),
    parent_conversation_id: uuid.nullish().describe('Conversation that this one belongs to; 404 when there is none.'),
    initial_message: gatewayMessage
      .nullish()
      .describe('First message; absent starts without one, and the agent waits.'),
    max_iterations: z
      .int()
      .min(1)
      .nullish()
      .describe('Steps that the agent may take before it pauses; absent is what the settings say.'),
    stuck_detection: z.boolean().default(true).describe('Whether the agent is stopped when it repeats itself.'),
    confirmation_policy: confirmationPolicy.nullish().describe('When the agent asks before it acts; absent is never.'),
    security_analyzer: gatewayAnalyzer.nullish().describe('What rates the risk of actions; absent is nothing.'),
    secrets: conversationSecrets
      .nullish()
      .describe(
        'Secrets for this conversation alone, by the name of their variable; they go to the keychain and are deleted with it.',
      ),
    secrets_encrypted: z.boolean().nullish().describe('Whether secrets are encrypted; true is answered with 501.'),
    client_tools: clientTools.nullish().describe('Tools that the client carries out itself.'),
    agent_launch_additions: z
      .strictObject({
        system_message_suffix_append: z.string().max(32_768).nullish().describe("Text after the agent's instructions."),
      })
      .nullish()
      .describe('What is added to the agent when it starts.'),
    plugins: z.array(z.unknown()).nullish().describe('Not supported: anything but an empty list is answered with 501.'),
    hook_config: z
      .looseObject({})
      .nullish()
      .describe('Hooks of the conversation; absent takes those of the working directory.'),
    tags: tags.nullish().describe("Tags of the conversation, for the client's own use."),
    worktree: z.boolean().nullish().describe('Not supported: true is answered with 501.'),
    agent_definitions: z
      .array(agentDefinition)
      .max(50)
      .nullish()
      .describe('Sub-agents that tasks can be given to, beside those of the repository.'),
    title: conversationTitle.nullish().describe('Title for people; absent makes one of the first message.'),
    autotitle: z
      .boolean()
      .default(true)
      .describe('Whether a conversation without a title is given one from its first message, which the model betters.'),
    title_llm_profile: z
      .string()
      .max(64)
      .nullish()
      .describe(
        "Name of the saved model that gives the title, 422 for one that is not there; absent is the conversation's own, which is also asked when the saved one does not answer.",
      ),
    tool_module_qualnames: z
      .record(
        z.string().refine(name => agentToolOf(name) !== null, { error: 'there is no such tool' }),
        z.string(),
      )
      .nullish()
      .describe('Modules of tools by their names, for servers that load them; these tools are always there.'),
    user_id: refused('There is one user.'),
    observability_metadata: refused('No traces are sent anywhere.'),
    observability_tags: refused('No traces are sent anywhere.'),
    observability_span_name: z
      .literal('conversation')
      .nullish()
      .describe('Only `conversation`: no traces are sent anywhere.'),
  })
  .catchall(noOtherFields)
  .refine(({ agent, agent_settings, agent_profile_id }) => agent || agent_settings || agent_profile_id, {
    message: 'one of agent, agent_settings and agent_profile_id is required',
  })
  .refine(({ agent, agent_settings, agent_profile_id }) => !(agent_profile_id && (agent || agent_settings)), {
    path: ['agent_profile_id'],
    message: 'it goes neither with agent nor with agent_settings',
  })
export type StartConversationRequest = z.output<typeof startConversationRequest>
