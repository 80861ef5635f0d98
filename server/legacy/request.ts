import type { Content } from '../api/event/content.ts'
import type { NewConversationRequest } from '../api/legacy/conversations.ts'
import { type AppConversationStartRequest, appConversationStartRequest } from '../api/v1/conversation/starts.ts'
import { microagentPrompt, suggestedTaskPrompt } from '../conversation/prompts.ts'
import type { ConversationId } from '../domain/ids.ts'

/** A request of the legacy generation in the words of the newer. @throws AppError bad_request */
export function toStartRequest(
  body: NewConversationRequest,
  conversationId: ConversationId,
): AppConversationStartRequest {
  const { suggested_task: task, create_microagent: microagent } = body
  const content: Content[] = []
  const text = firstMessage(body)
  if (text) content.push({ type: 'text', text })
  if (body.image_urls?.length) content.push({ type: 'image', image_urls: body.image_urls })
  return appConversationStartRequest.parse({
    conversation_id: conversationId,
    selected_repository: body.repository ?? task?.repo ?? microagent?.repo,
    selected_branch: body.selected_branch,
    git_provider: body.git_provider ?? task?.git_provider ?? microagent?.git_provider,
    initial_message: content.length > 0 ? { role: 'user', content, run: true } : null,
    trigger: triggerOf(body),
  })
}

function triggerOf({ suggested_task, create_microagent }: NewConversationRequest) {
  if (suggested_task) return 'suggested_task'
  return create_microagent ? 'microagent_management' : 'gui'
}

/** A suggested task replaces what was written; instructions for a repository do only where nothing was. */
function firstMessage(body: NewConversationRequest): string | null {
  const { suggested_task: task, create_microagent: microagent } = body
  const git_provider = body.git_provider ?? task?.git_provider ?? microagent?.git_provider ?? 'github'
  if (task) return suggestedTaskPrompt({ ...task, git_provider: task.git_provider ?? git_provider })
  if (body.initial_user_msg) return body.initial_user_msg
  return microagent ? microagentPrompt({ ...microagent, git_provider }) : null
}
