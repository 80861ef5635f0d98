import type { Express } from 'express'
import type { NewProfile } from '../../api/v1/settings/llm-profiles.ts'
import * as routes from '../../api/v1/settings/llm-profiles.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

/** Models that were saved under a name. */
export function mountLlmProfiles(app: Express, { profiles, modelSwitch, conversations }: Services): void {
  mount(app, routes.listLlmProfilesV1, () => profiles.list())
  mount(app, routes.getLlmProfileV1, async ({ params }) => {
    const { name, model, base_url, api_key_set } = await profiles.get(params.name)
    return { name, config: { model, base_url, api_key: null }, api_key_set }
  })
  mount(app, routes.saveLlmProfileV1, async ({ params: { name }, body: { llm, include_secrets } }) => {
    await (llm ? profiles.save(name, toInput(llm, include_secrets)) : profiles.saveCurrent(name, include_secrets))
    return { name, message: `Profile '${name}' saved` }
  })
  mount(app, routes.deleteLlmProfileV1, async ({ params: { name } }) => {
    await profiles.delete(name)
    return { name, message: `Profile '${name}' deleted` }
  })
  mount(app, routes.renameLlmProfileV1, ({ params: { name }, body: { new_name } }) => {
    profiles.rename(name, new_name)
    return { name: new_name, message: `Profile '${name}' renamed to '${new_name}'` }
  })
  mount(app, routes.activateLlmProfileV1, async ({ params: { name } }) => {
    await profiles.activate(name)
    return { name, message: `Profile '${name}' activated and applied to current settings` }
  })
  mount(app, routes.switchLlmProfileV1, async ({ params: { conversation_id }, body }) => {
    await modelSwitch.switchProfile({ kind: 'all' }, conversation_id, body.profile_name)
    return conversations.get(conversation_id)
  })
}

function toInput({ model, base_url = null, api_key }: NewProfile, withKey: boolean) {
  return { model, base_url, api_key: withKey ? api_key : '' }
}
