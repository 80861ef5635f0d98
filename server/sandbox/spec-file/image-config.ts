import { z } from 'zod'
import { isPlainVariable } from './description.ts'

/**
 * How an image is described, of which a spec needs no more than this: https://github.com/moby/docker-image-spec/blob/main/spec.md. Labels
 * would make the image, and what is made from it, look like something of this machine; triggers and health checks would act by themselves.
 */
const words = z.array(z.string()).nullish()
const names = z.record(z.string(), z.object({})).nullish()

const imageConfig = z.object({
  architecture: z.string(),
  os: z.string(),
  variant: z.string().optional(),
  created: z.string().optional(),
  config: z
    .object({
      Env: words,
      Cmd: words,
      Entrypoint: words,
      Shell: words,
      WorkingDir: z.string().optional(),
      User: z.string().optional(),
      StopSignal: z.string().optional(),
      ExposedPorts: names,
      Volumes: names,
    })
    .nullish(),
  rootfs: z.object({ type: z.literal('layers'), diff_ids: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/)) }),
  history: z
    .array(
      z.object({
        created: z.string().optional(),
        created_by: z.string().optional(),
        comment: z.string().optional(),
        empty_layer: z.boolean().optional(),
      }),
    )
    .nullish(),
})
export type ImageConfig = z.output<typeof imageConfig>

/** Without labels. undefined for what describes no image. */
export function readImageConfig(bytes: Buffer): ImageConfig | undefined {
  try {
    return imageConfig.safeParse(JSON.parse(bytes.toString('utf8'))).data
  } catch {
    return undefined
  }
}

/**
 * What goes to other computers. The history is how it was made, with the values that the build was given; nothing is run from it, so that
 * only its steps are kept.
 * @param mask takes secrets that are known out of a text
 */
export function withoutSecrets(
  { config, history, ...image }: ImageConfig,
  mask: (text: string) => string,
): ImageConfig {
  const isPlain = (variable: string) => {
    const [name = ''] = variable.split('=', 1)
    return isPlainVariable(name, variable)
  }
  const masked = (texts: string[] | null | undefined) => texts?.map(mask)
  return {
    ...image,
    ...(config && {
      config: {
        ...config,
        Env: masked(config.Env?.filter(isPlain)),
        Cmd: masked(config.Cmd),
        Entrypoint: masked(config.Entrypoint),
        Shell: masked(config.Shell),
      },
    }),
    ...(history && { history: history.map(({ created, empty_layer }) => ({ created, empty_layer })) }),
  }
}

export function writeImageConfig(config: ImageConfig, labels: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(JSON.stringify({ ...config, config: { ...config.config, Labels: labels } }))
}
