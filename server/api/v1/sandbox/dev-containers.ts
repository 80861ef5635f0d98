import { z } from 'zod'
import { route } from '../../contract/route.ts'
import { lineText } from '../../input-text.ts'
import { gitProvider } from '../conversation/conversations.ts'
import { folderSource } from '../conversation/folder/folders.ts'

const tag = 'Sandboxes'

const configurationPath = lineText(500).regex(
  /^(?:\.devcontainer\/(?:[^/]+\/)?devcontainer\.json|\.devcontainer\.json)$/,
  'name .devcontainer/devcontainer.json, .devcontainer.json or .devcontainer/<name>/devcontainer.json',
)

/** In the request of a start. */
export const devContainer = z.object({
  path: configurationPath.describe('Path of its `devcontainer.json` in the repository, as the offer has it.'),
})

/**
 * `runs_on_host`: it would run on this machine. `engine_options`, `privileges`: it would lift what confines a sandbox.
 * `mounts`: it would bring folders or volumes of the engine. `compose`: it is started beside the sandbox. `not_supported`: it
 * has no counterpart here.
 */
export const leftOutReason = z.enum([
  'runs_on_host',
  'engine_options',
  'privileges',
  'mounts',
  'compose',
  'not_supported',
])
export type LeftOutReason = z.output<typeof leftOutReason>

export const devContainerOffer = z.object({
  path: z.string().describe('Path of its `devcontainer.json` in the repository; a start takes it as `dev_container`.'),
  name: z.string().describe('Its name, or else its path.'),
  image: z.string().nullable().describe('Image that it starts from; null where a Dockerfile says it.'),
  dockerfile: z
    .string()
    .nullable()
    .describe('Path of the Dockerfile in the repository that is built; null for an image as it is.'),
  features: z.array(z.string()).describe('Features that are installed on top, as they are named.'),
  user: z.string().nullable().describe("User whom its programs run as; null is the image's own."),
  commands: z.array(z.string()).describe('Set-up commands that run in the sandbox once the repository is there.'),
  variables: z.array(z.string()).describe('Names of the variables that it sets.'),
  ports: z.array(z.int()).describe('Ports that it names for the preview.'),
  port_attributes: z
    .array(
      z.object({
        port: z.int().describe('Port of the container.'),
        label: z.string().nullable().describe('What listens there, in its words; null where it says nothing.'),
        on_auto_forward: z
          .string()
          .nullable()
          .describe('What it wants to happen when something listens there, such as `openBrowser`; it decides nothing.'),
      }),
    )
    .describe('What it says of single ports.'),
  left_out: z
    .array(
      z.object({
        property: z.string().describe('Property of the `devcontainer.json`.'),
        reason: leftOutReason.describe('Why it is left out.'),
      }),
    )
    .describe('What of it is never done.'),
  problem: z.string().nullable().describe('Why no conversation can be started with it, in words; null where one can.'),
  image_ready: z
    .boolean()
    .nullable()
    .describe('Whether the engine has its image already; null when that cannot be told.'),
})
export type DevContainerOffer = z.output<typeof devContainerOffer>

export const lookForDevContainers = route({
  method: 'post',
  path: '/api/v1/dev-containers/look',
  summary: 'Look for dev containers before a start',
  description:
    "Reads which dev containers a repository or a folder describes (`.devcontainer/devcontainer.json`, `.devcontainer.json`, `.devcontainer/<name>/devcontainer.json`), what of each is used, and what is left out. A repository is fetched over https, its last commit alone. Nothing of it is executed. It needs the API's own key.",
  tag,
  body: z.object({
    selected_repository: lineText(2000).nullish().describe('Repository, as the start of a conversation takes it.'),
    selected_branch: lineText(500).nullish().describe("Branch or tag; absent is the repository's default branch."),
    git_provider: gitProvider.nullish().describe('Where `owner/name` lies; absent is github.'),
    source: folderSource.nullish().describe('Folder of this computer, instead of a repository.'),
  }),
  failures: ['bad_request', 'file_not_found', 'clone_failed'],
  reply: z.object({
    items: z.array(devContainerOffer).describe('In the order of their paths, ten at most; empty where there is none.'),
  }),
})
