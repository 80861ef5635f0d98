import type { Express } from 'express'
import { getSandboxLog } from '../../../api/v1/sandbox/logs.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'

export function mountSandboxLogs(app: Express, { engines, mask }: Pick<Services, 'engines' | 'mask'>): void {
  mount(app, getSandboxLog, async ({ params: { sandbox_id: id }, query }) => {
    const text = await engines.ofSandbox(id).logs.read(id, query.tail)
    // A program may print what it was given.
    return { text: text && mask.mask(text) }
  })
}
