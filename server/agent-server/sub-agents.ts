import type { AgentDefinition } from '../api/agent-server/start-request.ts'
import { AppError } from '../domain/errors.ts'
import type { SubAgent } from '../domain/sub-agent.ts'
import { isReservedSubAgent, toSubAgent, UNSUPPORTED_FIELDS } from '../knowledge/parse-sub-agent.ts'

/** What a client describes; the ones that are always there are Atelier's own. @throws AppError bad_request, not_supported */
export function toSubAgents(definitions: readonly AgentDefinition[]): SubAgent[] {
  return definitions.filter(({ name }) => !isReservedSubAgent(name.trim().toLowerCase())).map(fromDefinition)
}

function fromDefinition(definition: AgentDefinition): SubAgent {
  const missing = UNSUPPORTED_FIELDS.find(field => isGiven(definition[field]))
  if (missing) {
    throw new AppError(
      'not_supported',
      `Sub-agents cannot have ${missing} yet. Leave it out of ${definition.name.slice(0, 64)}.`,
    )
  }
  const { system_prompt, tools, description, ...described } = definition
  const { subAgent, problems } = toSubAgent({
    ...described,
    description: description ?? '',
    prompt: system_prompt ?? '',
    tools: tools ?? null,
    source: 'client',
    path: 'the client',
  })
  if (subAgent && problems.length === 0) return subAgent
  throw new AppError(
    'bad_request',
    `agent_definitions: ${definition.name.slice(0, 64)} cannot be used: ${problems[0]}.`,
  )
}

/** Clients send fields that they do not use, too. */
function isGiven(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)
}
