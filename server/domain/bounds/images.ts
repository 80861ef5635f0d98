import { type Bound, GIB, KIB, MIB } from './bound.ts'

/** On images that are built, and on those in files of sandbox specs. */
export const IMAGE_BOUNDS = {
  dockerfile: {
    limit: 64 * KIB,
    unit: 'bytes',
    of: 'Dockerfile',
    beyond: 'It is refused.',
  },
  buildLogLine: {
    limit: 2000,
    unit: 'characters',
    of: 'line in the log of a build',
    beyond: 'The line is cut.',
  },
  buildLog: {
    limit: 500,
    unit: 'items',
    of: 'lines kept of the log of a build',
    beyond: 'The oldest are dropped.',
  },
  buildTime: {
    limit: 2 * 3_600_000,
    unit: 'milliseconds',
    of: 'time in which an image is built',
    beyond: 'The build is ended.',
  },
  baseImages: {
    limit: 20,
    unit: 'items',
    of: 'base images of one Dockerfile',
    beyond: 'It is refused.',
  },
  specFile: {
    limit: 64 * GIB,
    unit: 'bytes',
    of: 'file of a sandbox spec that is imported, and image in it once unpacked',
    beyond: 'The import is refused with 413, and leaves nothing.',
  },
  specFileTime: {
    limit: 2 * 3_600_000,
    unit: 'milliseconds',
    of: 'time in which a file of a sandbox spec arrives whole',
    beyond: 'The connection is closed with 408.',
  },
  specFilesAtOnce: {
    limit: 2,
    unit: 'items',
    of: 'files of sandbox specs that are written and read at the same time',
    beyond: 'The next one is refused with 429 until another has ended.',
  },
  specFileDescription: {
    limit: MIB,
    unit: 'bytes',
    of: 'description of the spec in such a file',
    beyond: 'It is neither written nor read.',
  },
  specFileImageDescription: {
    limit: 2 * MIB,
    unit: 'bytes',
    of: 'description of the image in such a file',
    beyond: 'It is neither written nor read.',
  },
  specFileLayers: {
    limit: 128,
    unit: 'items',
    of: 'layers of the image in such a file',
    beyond: 'It is neither written nor read.',
  },
} as const satisfies Record<string, Bound>
