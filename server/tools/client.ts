import type { clientToolAction } from '../api/event/actions.ts'
import type { Content } from '../api/event/content.ts'
import { clipMiddle } from '../text/clip.ts'
import { clipContent } from './clip-content.ts'
import { type ExternalSchema, fromSchema } from './external-schema.ts'
import { type Tool, type ToolHost, text } from './tool.ts'

type ClientToolAction = ReturnType<typeof clientToolAction.parse>

/** A tool that the program which began the conversation carries out, as the agent needs it. */
export interface ClientToolSource extends ExternalSchema {
  readonly description: string
  /** Waits for what came of a call; null when nobody said so in time. Absent: nobody waits. */
  readonly result?: (
    actionId: string,
    signal: AbortSignal,
  ) => Promise<{ content: readonly Content[]; isError: boolean } | null>
}

const MAX_DESCRIPTION = 4_000
/** What agent servers say. */
const HANDED_TO_CLIENT = 'Tool call dispatched to client.'
const NO_ANSWER =
  'The program that has this tool did not say in time what came of the call. It may still be carried out: check its effects before trying again.'

/** The client's tool under the name by which the agent calls it. */
export function createClientTool(
  name: string,
  source: ClientToolSource,
  { mask }: Pick<ToolHost, 'mask'>,
): Tool<ClientToolAction> {
  return {
    ...fromSchema(source),
    name,
    description: describe(source.description, mask),
    toAction: given => ({ kind: 'ClientToolAction', data: source.repair(given) }),
    run: async (_action, { signal, actionId = '' }) => {
      const observed = { kind: 'ClientToolObservation' as const }
      if (!source.result) return { ...observed, content: text(HANDED_TO_CLIENT), is_error: false }
      const result = await source.result(actionId, signal)
      if (result === null) return { ...observed, content: text(NO_ANSWER), is_error: true }
      return { ...observed, content: clipContent(result.content, mask), is_error: result.isError }
    },
    close: async () => {},
  }
}

/** The client's word, and no instruction. */
function describe(description: string, mask: ToolHost['mask']): string {
  const said = clipMiddle(mask(description), MAX_DESCRIPTION, () => '\n[…]\n')
  return `${said}\n[A tool of the program that began this conversation.]`.trimStart()
}
