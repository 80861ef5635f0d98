import type { SandboxSpecInfo } from '../api/sandboxes.ts'
import { AppError } from '../errors.ts'
import type { SandboxImages } from './image.ts'
import { type Page, type PageQuery, pageOf } from './page.ts'
import { type ImageSettings, type SandboxSpec, sandboxSpecs } from './spec.ts'

export interface SandboxSpecsOptions {
  images: SandboxImages
  /** Read for each question: a setting counts from the next sandbox on. */
  imageSettings(): Promise<ImageSettings>
}

/** What a sandbox can be started from; the first is the default. */
export class SandboxSpecs {
  readonly #options: SandboxSpecsOptions
  readonly #createdAt = new Date().toISOString()

  constructor(options: SandboxSpecsOptions) {
    this.#options = options
  }

  async search(query: PageQuery): Promise<Page<SandboxSpecInfo>> {
    const page = pageOf(await this.#all(), query)
    return { ...page, items: await Promise.all(page.items.map(spec => this.#info(spec))) }
  }

  /** In the order asked for; null for an unknown id. */
  async batch(ids: readonly string[]): Promise<(SandboxSpecInfo | null)[]> {
    const specs = new Map((await this.#all()).map(spec => [spec.id, spec]))
    return Promise.all(
      ids.map(id => {
        const spec = specs.get(id)
        return spec ? this.#info(spec) : null
      }),
    )
  }

  /** Without an id the default. @throws AppError not_found */
  async find(id: string | null | undefined): Promise<SandboxSpec> {
    const specs = await this.#all()
    const spec = id ? specs.find(each => each.id === id) : specs[0]
    if (spec) return spec
    throw new AppError(
      'not_found',
      `There is no sandbox spec ${id}. Choose one of the list, or name the image in Settings.`,
    )
  }

  async resourceFactor(): Promise<number | null> {
    return (await this.#options.imageSettings()).resourceFactor
  }

  async #all(): Promise<SandboxSpec[]> {
    return sandboxSpecs(this.#options.images.reference, await this.#options.imageSettings())
  }

  async #info(spec: SandboxSpec): Promise<SandboxSpecInfo> {
    return {
      id: spec.id,
      command: [...spec.command],
      created_at: this.#createdAt,
      initial_env: { ...spec.initialEnv },
      working_dir: spec.workingDir,
      title: spec.title,
      image_present: await this.#options.images.isPresent(spec.id),
    }
  }
}
