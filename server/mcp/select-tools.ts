import type { Tool } from '@modelcontextprotocol/client'
import type { RunningServer } from './connection/running-server.ts'
import { toolsOf } from './state.ts'

/** Models take 128 functions at most, and every one of them is read with every step. */
const MAX_TOOLS = 100
const MAX_SCHEMA_LENGTH = 32_000

/** What the agent sees of a server's tools. */
export interface ToolSelection {
  server: RunningServer
  tools: Tool[]
  leftOut: number
}

/** All tools in the order of their servers; where there are too many, each server has its turn. */
export function selectTools(servers: RunningServer[]): ToolSelection[] {
  const offers = servers.map(server => {
    const all = toolsOf(server.state())
    return { server, fit: all.filter(fitsSchemaLimit), all: all.length }
  })
  const counts = offers.map(() => 0)
  let room = MAX_TOOLS
  for (let round = 0; room > 0 && offers.some(({ fit }) => round < fit.length); round++) {
    for (const [index, { fit }] of offers.entries()) {
      if (room === 0 || round >= fit.length) continue
      counts[index] = round + 1
      room--
    }
  }
  return offers.map(({ server, fit, all }, index) => {
    const tools = fit.slice(0, counts[index])
    return { server, tools, leftOut: all - tools.length }
  })
}

/** Asked with every step, of up to thousands of schemas. */
const FITTING = new WeakMap<Tool, boolean>()

function fitsSchemaLimit(tool: Tool): boolean {
  const known = FITTING.get(tool)
  if (known !== undefined) return known
  const fits = JSON.stringify(tool.inputSchema).length <= MAX_SCHEMA_LENGTH
  FITTING.set(tool, fits)
  return fits
}
