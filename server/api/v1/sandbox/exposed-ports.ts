/** Container ports that a client sees under these names; 8000 is the agent server's, which runs outside. */
export const EXPOSED_PORTS = { WORKER_1: 8011, WORKER_2: 8012 } as const
