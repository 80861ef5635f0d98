import { type Bound, KIB, MIB } from './bound.ts'

/** On the services that a repository's compose file describes. */
export const COMPOSE_BOUNDS = {
  composeFile: {
    limit: 128 * KIB,
    unit: 'bytes',
    of: 'compose file of a repository, or file of variables beside it',
    beyond: 'The services are not started, and it is said why.',
  },
  composeValues: {
    limit: 20_000,
    unit: 'items',
    of: 'values in a compose file, those of its aliases and merge keys counted each time',
    beyond: 'The same.',
  },
  composeFiles: {
    limit: 40,
    unit: 'items',
    of: 'files that say what the services of a repository are: compose files, what they include, and their variables',
    beyond: 'What is included beyond it is left out, and it is said so.',
  },
  services: {
    limit: 20,
    unit: 'items',
    of: 'services of a compose file that run beside a sandbox',
    beyond: 'The others are left out, and it is said so.',
  },
  serviceFiles: {
    limit: 16 * MIB,
    unit: 'bytes',
    of: 'files of the repository that are copied into one service',
    beyond: 'The service is not started, and it is said why.',
  },
  serviceBuildBytes: {
    limit: 64 * MIB,
    unit: 'bytes',
    of: 'folder of the repository that a service is built from',
    beyond: 'The same.',
  },
  serviceBuildFiles: {
    limit: 10_000,
    unit: 'items',
    of: 'files in such a folder',
    beyond: 'The same.',
  },
  serviceMemory: {
    limit: 2048 * MIB,
    unit: 'bytes',
    of: 'memory of one service, and no more than a sandbox may have',
    beyond: 'The engine ends the service.',
  },
  serviceLog: {
    limit: 10 * MIB,
    unit: 'bytes',
    of: 'log of a service that the engine keeps',
    beyond: 'The oldest lines go.',
  },
  serviceReady: {
    limit: 120_000,
    unit: 'milliseconds',
    of: 'time that a start waits for a service to be healthy, or to listen',
    beyond: 'The start goes on, and the service is shown as it is.',
  },
} as const satisfies Record<string, Bound>
