import { AppError } from '../../domain/errors.ts'
import type { EventLog } from '../../event/log.ts'
import { openCalls, toMessages } from '../../event/model-messages.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { ConversationService } from '../service.ts'
import { storedPrompt } from '../system-prompt.ts'
import type { AgentParts } from './agent-parts.ts'
import type { AuxiliaryModel } from './auxiliary-model.ts'
import type { Runner } from './runner.ts'

interface Dependencies {
  eventLog: EventLog
  auxiliaryModel: AuxiliaryModel
  service: ConversationService
  runner: Runner
  parts: AgentParts
  mask: Pick<Mask, 'mask'>
}

const SIDE_QUESTION = `Answer this side question from what you know of the conversation. Answer in text: call no tool, and do not go on with the task.

`

/** Side questions: the model sees the whole conversation, the conversation sees nothing of them. */
export class SideQuestions {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Also while the agent works. Its cost counts. @throws AppError conversation_not_found, conversation_elsewhere, model_not_set, llm_* */
  async ask(id: string, question: string, signal: AbortSignal): Promise<string> {
    const { eventLog, service, runner, parts, auxiliaryModel, mask } = this.#dependencies
    const conversation = service.findOwn(id)
    const events = await eventLog.readTree(conversation.id, tree => tree.activeBranch())
    const complete = await auxiliaryModel.modelFor(conversation, 'ask-agent-llm', events)
    const open = new Set(openCalls(events).map(call => call.llm_response_id))
    const settled = events.filter(event => event.kind !== 'ActionEvent' || !open.has(event.llm_response_id))
    const { fixed, context } = storedPrompt(events) ?? parts.prompt(conversation)
    const completion = await complete({
      system: fixed,
      dynamicSystem: context,
      messages: [...toMessages(settled), { role: 'user', content: [{ type: 'text', text: SIDE_QUESTION + question }] }],
      tools: runner.toolsOf(conversation).current(),
      signal,
      onDelta: () => {},
      onRetry: () => {},
    })
    if (completion.text.trim() !== '') return mask.mask(completion.text)
    throw new AppError(
      'llm_failed',
      'The model wanted to act instead of answering. Ask again, or send it as a message.',
    )
  }
}
