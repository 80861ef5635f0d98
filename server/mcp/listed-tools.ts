import type { Tool } from '@modelcontextprotocol/client'
import { BOUNDS } from '../domain/bounds.ts'

/**
 * What is kept of a server's list: of each tool what an agent needs to call it, and of two with one name the first.
 * @returns with the number of those that nobody could call
 */
export function listedTools(given: readonly Tool[]): { tools: Tool[]; dropped: number } {
  const byName = new Map<string, Tool>()
  for (const tool of given) {
    if (tool.name.length > BOUNDS.toolName.limit || byName.has(tool.name)) continue
    byName.set(tool.name, kept(tool))
  }
  return { tools: [...byName.values()], dropped: given.length - byName.size }
}

function kept({ name, title, description, inputSchema, annotations }: Tool): Tool {
  const said = bounded(description ?? title ?? '')
  return { name, description: said, inputSchema, ...(annotations && { annotations }) }
}

/** A part of it could begin or end inside of a secret. */
function bounded(description: string): string {
  return description.length <= BOUNDS.toolDescription.limit
    ? description
    : '[The description is too long, and is left out.]'
}
