import { LABEL } from '../../docker/container/labels.ts'
import type { ContainerRequest } from '../../docker/engine.ts'

/** A sandbox that would be started now. */
export interface SandboxDraft {
  specId: string
  request: ContainerRequest
  /**
   * Whether it is the same whenever it is made: a command of its own runs from its start, and a folder that is mounted may
   * be another one by the time that somebody works in it.
   */
  canWait: boolean
  /** What a sandbox takes from the network around it as it starts. */
  context: string
}

/** The same word for drafts of the same sandbox, whatever its name, and the time at which it was asked for. */
export function kindOf({ request, context }: Pick<SandboxDraft, 'request' | 'context'>): string {
  const { name: _, labels, ...others } = request
  const { [LABEL.createdAt]: _at, ...kept } = labels
  return JSON.stringify({ ...others, labels: kept, context })
}
