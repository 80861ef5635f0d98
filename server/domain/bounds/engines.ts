import type { Bound } from './bound.ts'

/** On engines that a person adds. */
export const ENGINE_BOUNDS = {
  engines: {
    limit: 10,
    unit: 'items',
    of: 'engines, with the default one',
    beyond: 'Another one is refused with 409.',
  },
  dockerContexts: {
    limit: 100,
    unit: 'items',
    of: 'docker contexts of this machine that are looked at for the list of available engines',
    beyond: 'The others are left out; they can be added by their names.',
  },
  clusterContexts: {
    limit: 200,
    unit: 'items',
    of: 'contexts of the kubeconfig that are looked at for the list of available engines',
    beyond: 'The others are left out; they can be added by their names.',
  },
} as const satisfies Record<string, Bound>
