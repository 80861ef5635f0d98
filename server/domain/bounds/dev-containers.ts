import { type Bound, KIB, MIB } from './bound.ts'

/** On what is read and built of a repository's dev container. */
export const DEV_CONTAINER_BOUNDS = {
  devContainerPack: {
    limit: 1024 * MIB,
    unit: 'bytes',
    of: 'last commit of a repository, fetched for its dev container',
    beyond: 'The dev container cannot be read, and the reason says so.',
  },
  devContainerFetch: {
    limit: 300_000,
    unit: 'milliseconds',
    of: 'time in which that is fetched',
    beyond: 'The same.',
  },
  devContainerFiles: {
    limit: 50_000,
    unit: 'items',
    of: 'files in the build context of a dev container',
    beyond: 'The image is not built, and the reason says so.',
  },
  devContainerBytes: {
    limit: 1024 * MIB,
    unit: 'bytes',
    of: 'build context of a dev container',
    beyond: 'The same.',
  },
  devContainerFile: {
    limit: 128 * MIB,
    unit: 'bytes',
    of: 'one file of it',
    beyond: 'The same.',
  },
  devContainerOwnFiles: {
    limit: 2_000,
    unit: 'items',
    of: 'files of `.devcontainer`, and of a feature',
    beyond: 'The dev container cannot be read, and the reason says so.',
  },
  devContainerOwnBytes: {
    limit: 32 * MIB,
    unit: 'bytes',
    of: 'files of `.devcontainer`, and of a feature, in all',
    beyond: 'The same.',
  },
  devContainerConfiguration: {
    limit: 512 * KIB,
    unit: 'bytes',
    of: 'one `devcontainer.json`',
    beyond: 'The same.',
  },
  devContainerOffers: {
    limit: 10,
    unit: 'items',
    of: 'dev containers of a repository that are offered',
    beyond: 'The rest is left out.',
  },
  devContainerRead: {
    limit: 180_000,
    unit: 'milliseconds',
    of: 'time in which a `devcontainer.json` is read and its features are fetched',
    beyond: 'The dev container cannot be read, and the reason says so.',
  },
  devContainerDownload: {
    limit: 256 * MIB,
    unit: 'bytes',
    of: 'features that are fetched from registries, and what they unpack to',
    beyond: 'The same.',
  },
  devContainerMemory: {
    limit: 256 * MIB,
    unit: 'bytes',
    of: 'memory of the thread that reads a `devcontainer.json`',
    beyond: 'The same.',
  },
  devContainerAnswer: {
    limit: 8 * MIB,
    unit: 'characters',
    of: 'configuration of a dev container with its features',
    beyond: 'The same.',
  },
  devContainerCommand: {
    limit: 1_800_000,
    unit: 'milliseconds',
    of: 'one set-up command of a dev container',
    beyond: 'It is ended, and the start goes on.',
  },
} as const satisfies Record<string, Bound>
