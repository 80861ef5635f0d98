import type { Express } from 'express'
import * as routes from '../api/skills.ts'
import { hookEvents, toSkillInfo } from '../knowledge/show.ts'
import { mount } from './mount.ts'
import type { Services } from './services.ts'

/** What a conversation knows; read anew where its sandbox runs. */
export function mountSkills(app: Express, { conversations, knowledge }: Pick<Services, 'conversations' | 'knowledge'>) {
  mount(app, routes.getConversationSkills, async ({ params, signal }) => {
    const conversation = conversations.find(params.conversation_id)
    await knowledge.refresh(conversation, signal)
    const { skills, problems } = knowledge.known(conversation.id)
    return { skills: skills.map(toSkillInfo), problems }
  })
  mount(app, routes.getConversationHooks, async ({ params, signal }) => {
    const conversation = conversations.find(params.conversation_id)
    await knowledge.refresh(conversation, signal)
    const { hookProblems } = knowledge.known(conversation.id)
    return { hooks: hookEvents(knowledge.hooksFor(conversation.id)), problems: hookProblems }
  })
}
