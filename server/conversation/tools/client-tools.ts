import type { ClientTool } from '../../api/v1/conversation/client-tools.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { argumentsOf } from '../../mcp/arguments.ts'
import { ToolNames } from '../../mcp/tool-names.ts'
import { createClientTool } from '../../tools/client.ts'
import type { Tool, ToolHost } from '../../tools/tool.ts'
import type { ClientCalls } from './client-calls.ts'

/** The names by which the agent calls them, in their order: with `client_` in front where one is ours. */
export function namesOfClientTools(tools: readonly Pick<ClientTool, 'name'>[]): string[] {
  const names = new ToolNames()
  return tools.map(({ name }) => names.nameOf('client', name))
}

/** What a conversation's client can do for the agent. */
export function createClientTools(
  id: ConversationId,
  tools: readonly ClientTool[],
  { calls, mask }: { calls: Pick<ClientCalls, 'result'> } & Pick<ToolHost, 'mask'>,
): Tool[] {
  const names = namesOfClientTools(tools)
  return tools.map(({ name, description, parameters, annotations, awaits_result, timeout }, index) => {
    const source = {
      description,
      inputSchema: parameters,
      readOnly: annotations?.readOnlyHint === true,
      ...argumentsOf(parameters),
      ...(awaits_result && {
        result: (actionId: string, signal: AbortSignal) =>
          calls.result(id, actionId, { timeoutMs: timeout * 1000, signal }),
      }),
    }
    return createClientTool(names[index] ?? name, source, { mask }) as Tool
  })
}
