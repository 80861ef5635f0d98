import type { EngineConnection } from '../../docker/connection.ts'
import type { Log } from '../../log.ts'
import type { SandboxIdlePauses } from '../../store/sandbox/idle-pauses.ts'
import type { KeptShells } from '../command/kept-shells.ts'
import type { Sandbox } from '../state.ts'

export interface IdlePausingOptions {
  connection: Pick<EngineConnection, 'engine' | 'status' | 'info'>
  instanceId: string
  log: Log
  shells: KeptShells
  idlePauses: SandboxIdlePauses
  /** After how long without use; null is never. */
  idleMinutes(): number | null
  /** How long a minute is here; shorter where a test cannot wait for one. */
  minuteMs?: number
  /** Resolves when the sandboxes are known. */
  ready(): Promise<void>
  sandboxes(): readonly Sandbox[]
  get(id: string): Sandbox | undefined
  /** Whether something under way holds it. */
  isHeld(id: string): boolean
  /** How many things under way hold it. */
  holds(id: string): number
  pause(id: string): Promise<void>
  resume(id: string): Promise<void>
  onChange(id: string): void
}
