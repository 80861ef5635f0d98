import type { Express } from 'express'
import * as routes from '../../api/v1/conversation/skills.ts'
import { hookEvents, toSkillInfo } from '../../knowledge/to-api.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

type Needed = Pick<Services, 'conversations' | 'knowledge' | 'mask'>

/** What a conversation knows; read anew where its sandbox runs. */
export function mountSkills(app: Express, { conversations, knowledge, mask }: Needed) {
  mount(app, routes.getConversationSkills, async ({ params, signal }) => {
    const conversation = conversations.find(params.conversation_id)
    await knowledge.refresh(conversation, signal)
    const { skills, problems } = knowledge.known(conversation.id)
    return maskedValue({ skills: skills.map(toSkillInfo), problems }, mask.mask)
  })
  mount(app, routes.getConversationHooks, async ({ params, signal }) => {
    const conversation = conversations.find(params.conversation_id)
    await knowledge.refresh(conversation, signal)
    const { hookProblems } = knowledge.known(conversation.id)
    return maskedValue({ hooks: hookEvents(knowledge.hooksFor(conversation.id)), problems: hookProblems }, mask.mask)
  })
}
