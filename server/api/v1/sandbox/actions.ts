import type { SandboxStatus } from './sandboxes.ts'

/**
 * What can be done to a sandbox in which state: the service's rule, the API's error and the renderer's disabled reason in
 * one table. `true` is allowed; a text says why not.
 */
export const SANDBOX_ACTIONS = {
  use: {
    STARTING: 'The sandbox is still starting.',
    RUNNING: true,
    PAUSED: 'The sandbox is paused. Resume it first.',
    ERROR: 'The sandbox is broken. Delete it and start a new one.',
    MISSING: 'The sandbox is not there. Start a new one.',
  },
  pause: {
    STARTING: 'The sandbox is still starting. Pause it when it runs.',
    RUNNING: true,
    PAUSED: 'The sandbox is paused already.',
    ERROR: 'The sandbox is broken and does not run. Delete it and start a new one.',
    MISSING: 'The sandbox is not there.',
  },
  resume: {
    STARTING: 'The sandbox is starting already.',
    RUNNING: 'The sandbox is running already.',
    PAUSED: true,
    ERROR: 'The sandbox is broken. Delete it and start a new one.',
    MISSING: 'The sandbox is not there. Start a new one.',
  },
  copy: {
    STARTING: 'The sandbox is still starting. Copy it when it runs.',
    RUNNING: true,
    PAUSED: true,
    ERROR: 'The sandbox is broken, so it cannot be copied. Start a new one.',
    MISSING: 'The sandbox is not there, so it cannot be copied.',
  },
  save: {
    STARTING: 'The sandbox is still starting. Save it once it runs.',
    RUNNING: true,
    PAUSED: true,
    ERROR: true,
    MISSING: 'The sandbox is not there, so it cannot be saved.',
  },
  delete: {
    STARTING: true,
    RUNNING: true,
    PAUSED: true,
    ERROR: true,
    MISSING: 'The sandbox is not there any more.',
  },
} as const satisfies Record<string, Record<SandboxStatus, true | string>>

export type SandboxAction = keyof typeof SANDBOX_ACTIONS

/** Why nothing can be done to a sandbox whose engine cannot be asked. */
export const UNREACHABLE = 'The engine does not answer. Start it again, then try once more.'

/** undefined when it is allowed, else why not. */
export function refusalReason(action: SandboxAction, status: SandboxStatus): string | undefined {
  const rule: true | string = SANDBOX_ACTIONS[action][status]
  return rule === true ? undefined : rule
}
