import {
  type CallToolResult,
  createMcpHandler,
  type JSONValue,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { Content } from '../api/event/content.ts'
import { messageOf } from '../domain/errors.ts'
import { isRecord } from '../domain/is-record.ts'
import { callFields } from '../tools/call/fields.ts'
import type { Tool } from '../tools/tool.ts'

/** Answers one request of another program for tools, without sessions. `body` is the request's body, parsed. */
export function serveTools(
  request: Request,
  body: unknown,
  { version, tools }: { version: string; tools: () => Promise<readonly Tool[]> },
): Promise<Response> {
  const handler = createMcpHandler(async () => serverOf(version, await tools()))
  return handler.fetch(request, { parsedBody: body })
}

function serverOf(version: string, tools: readonly Tool[]): Server {
  const server = new Server({ name: 'atelier', version }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: tools.map(tool => ({
      name: tool.name,
      description: tool.description,
      inputSchema: schemaOf(tool),
      annotations: { readOnlyHint: tool.readOnly },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool '${params.name}'.`)
    const given = tool.parameters.safeParse(params.arguments ?? {})
    if (!given.success) return refused(given.error.issues.map(({ message }) => message).join('; '))
    const { signal } = context.mcpReq
    try {
      const observation = await tool.run(tool.toAction(callFields(tool, given.data).parameters), {
        signal,
        onOutput: () => {},
      })
      return { content: observation.content.flatMap(toBlocks), isError: observation.is_error }
    } catch (error) {
      signal.throwIfAborted()
      return refused(messageOf(error))
    }
  })
  return server
}

/** Without what only our own agent says about a call. */
function schemaOf(tool: Tool) {
  const { properties } = tool.inputSchema ?? {}
  const { parameters } = callFields(tool, isRecord(properties) ? properties : {})
  return { ...tool.inputSchema, type: 'object' as const, properties: parameters as Record<string, JSONValue> }
}

function refused(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true }
}

function toBlocks(part: Content): CallToolResult['content'] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  return part.image_urls.flatMap(url => {
    const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
    return mimeType && data ? [{ type: 'image', mimeType, data }] : []
  })
}
