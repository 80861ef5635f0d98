import type { Express } from 'express'
import { cancelGitSignIn, getGitSignIn, startGitSignIn } from '../../api/v1/git/sign-ins.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

export function mountGitSignIns(app: Express, { gitSignIns }: Pick<Services, 'gitSignIns'>): void {
  mount(app, startGitSignIn, ({ body, signal }) => gitSignIns.start(body, signal))
  mount(app, getGitSignIn, ({ params }) => gitSignIns.get(params.sign_in_id))
  mount(app, cancelGitSignIn, async ({ params }) => {
    await gitSignIns.cancel(params.sign_in_id)
    return { success: true }
  })
}
