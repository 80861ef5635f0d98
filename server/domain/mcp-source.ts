import type { Content } from '../api/event/content.ts'

export type JsonSchema = Record<string, unknown>

/** A tool of a tool server, as the agent needs it; how it is reached is not its business. */
export interface McpToolSource {
  readonly server: string
  /** As its server calls it. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly readOnly: boolean
  readonly destructive: boolean
  /** Brings values to the types of the schema where what is meant is plain. */
  repair(given: Record<string, unknown>): Record<string, unknown>
  /** What is wrong with the arguments, for the model; null when nothing is. */
  problem(given: Record<string, unknown>): string | null
  /** Rejects only with the signal's reason, when aborted. */
  call(
    given: Record<string, unknown>,
    options: { signal: AbortSignal; onProgress: (message: string) => void },
  ): Promise<{ content: Content[]; isError: boolean }>
}
