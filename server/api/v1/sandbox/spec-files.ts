import { z } from 'zod'
import { route } from '../../contract/route.ts'
import { sandboxSpecInfo } from './specs.ts'

const params = z.object({ spec_id: z.string().min(1).max(500).describe('Id of the sandbox spec.') })
const tag = 'Sandboxes'

const image = z
  .enum(['included', 'named', 'bundled', 'built'])
  .describe(
    '`included`: the image is in the file, as no registry has it. `named`: it is pulled. `bundled`: the one that comes with Atelier. `built`: from the Dockerfile, at the first start.',
  )

const leftOut = z
  .object({
    mounts: z.array(z.string()).describe('Paths in the sandbox at which folders of the first machine were mounted.'),
    variables: z.array(z.string()).describe('Names of variables whose values may be secret.'),
  })
  .describe('What belongs to one machine, or may be secret, and is not in the file.')

export const specExport = z.object({
  file_name: z.string().describe('Name of the file.'),
  image,
  image_bytes: z
    .int()
    .nullable()
    .describe('About how large the image in the file is; null where it is not in the file.'),
  left_out: leftOut,
})
export type SpecExport = z.output<typeof specExport>

export const getSpecExport = route({
  method: 'get',
  path: '/api/v1/sandbox-specs/{spec_id}/export',
  summary: 'Read what the file of a sandbox spec would hold',
  description:
    'Says what an export of the spec writes to a file, and what it leaves out: folders of this machine, and what may be secret. 404 also where the saved image of the spec is gone.',
  tag,
  params,
  failures: ['not_found', 'engine_unavailable'],
  reply: specExport,
})

export const downloadSpec = route({
  method: 'get',
  path: '/api/v1/sandbox-specs/{spec_id}/export/file',
  summary: 'A sandbox spec as a file',
  description:
    'Streams the spec as a tar that another Atelier imports: its description, and its image where no registry has it. The image holds all files of the sandbox that it was saved from. A download that breaks off is no whole tar. 429 while two files are being written or read.',
  tag,
  params,
  failures: ['not_found', 'engine_unavailable'],
  reply: z.string().meta({ format: 'binary' }),
  media: { reply: 'application/x-tar' },
})

export const importSpec = route({
  method: 'post',
  path: '/api/v1/sandbox-specs/import',
  summary: 'Add a sandbox spec from a file',
  description:
    'Adds the sandbox spec of a file that Atelier has exported, sent as the one file of a form; the engine loads its image as it arrives. A title that is taken gets a number. Nothing is mounted in sandboxes of the spec. A request that fails or is given up leaves nothing.',
  tag,
  failures: ['bad_request', 'conflict', 'engine_unavailable'],
  reply: z.object({
    spec: sandboxSpecInfo.describe('The new spec.'),
    image,
    left_out: leftOut,
  }),
  status: 201,
})
