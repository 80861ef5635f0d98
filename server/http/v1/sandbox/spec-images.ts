import type { Express } from 'express'
import * as builds from '../../../api/v1/sandbox/builds.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'

export function mountSpecImages(app: Express, { engines }: Pick<Services, 'engines'>): void {
  const of = async (specId: string) => (await engines.ofSpec(specId)).builds
  mount(app, builds.startSpecBuild, async ({ params }) => (await of(params.spec_id)).begin(params.spec_id))
  mount(app, builds.getSpecBuild, async ({ params }) => (await of(params.spec_id)).status(params.spec_id))
  mount(app, builds.cancelSpecBuild, async ({ params }) => (await of(params.spec_id)).cancel(params.spec_id))
  mount(app, builds.saveSandboxAsSpec, async ({ params, body, signal }) => {
    const { savedSpecs } = engines.ofSandbox(params.sandbox_id)
    const { spec, leftOut } = await savedSpecs.save(params.sandbox_id, body.title, signal)
    return { spec, left_out: leftOut }
  })
}
