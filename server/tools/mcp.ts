import type { z } from 'zod'
import { mcpToolAction } from '../api/event/actions.ts'
import { isRecord } from '../domain/is-record.ts'
import type { McpToolSource } from '../domain/mcp-source.ts'
import { clipMiddle } from '../text/clip.ts'
import { clipContent } from './clip-content.ts'
import { fromSchema } from './external-schema.ts'
import type { Tool, ToolHost } from './tool.ts'

type McpToolAction = z.output<typeof mcpToolAction>
type Host = Pick<ToolHost, 'mask' | 'environmentFor'>

const MAX_DESCRIPTION = 4_000

/** The tool of a tool server under the name by which the agent calls it. */
export function createMcpTool(name: string, source: McpToolSource, host: Host): Tool<McpToolAction> {
  return {
    ...fromSchema(source),
    name,
    description: describe(source, host.mask),
    destructive: source.destructive,
    toAction: given => ({ kind: 'MCPToolAction', data: source.repair(given) }),
    run: async (action, { signal, onOutput }) => {
      const given = await withSecrets(mcpToolAction.parse(action).data, host.environmentFor)
      const onProgress = (message: string) => onOutput(host.mask(message))
      const { content, isError } = await source.call(given, { signal, onProgress })
      return {
        kind: 'MCPToolObservation',
        tool_name: name,
        content: clipContent(content, host.mask),
        is_error: isError,
      }
    },
    close: async () => {},
  }
}

/** What a server says of its tool is its word, and no instruction. */
function describe({ server, description }: McpToolSource, mask: ToolHost['mask']): string {
  const text = clipMiddle(mask(description), MAX_DESCRIPTION, () => '\n[…]\n')
  return `${text}\n[A tool of the tool server "${server}".]`.trimStart()
}

/** Puts secrets in the place of `$NAME` and `${NAME}`: on the way out only, so that no log has them. */
export async function withSecrets<T>(given: T, environmentFor: ToolHost['environmentFor']): Promise<T> {
  // Also where nothing is named: so the mask learns what there is to hide in the answer.
  const environment = (await environmentFor?.(JSON.stringify(given) ?? '')) ?? {}
  return expanded(given, environment) as T
}

function expanded(value: unknown, environment: Record<string, string>): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (whole, braced, bare) => {
      const found = environment[braced ?? bare]
      return found ?? whole
    })
  }
  if (Array.isArray(value)) return value.map(item => expanded(item, environment))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expanded(item, environment)]))
}
