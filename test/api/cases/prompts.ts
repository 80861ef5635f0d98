import { expect } from 'vitest'
import type { Turn } from '../../fakes/model-server/turn.ts'
import { FINISH, tool } from '../../parts/client/gateway-conversation.ts'
import type { Seen, Statement } from '../../parts/statement.ts'

const LOOK = tool('terminal', { command: 'echo marmalade' })
const two = () => [LOOK, FINISH]
const system = ({ requests: [first] }: Seen): string => first?.body.messages[0].content ?? ''
const promptEvent = ({ events }: Seen) => events.find(({ kind }) => kind === 'SystemPromptEvent')
const lastMessages = ({ requests }: Seen) => requests.at(-1)?.body.messages ?? []
const SECRET = 'open-sesame-0123456789'
const AT_ONCE = { retry_min_wait: 0, retry_multiplier: 0 }
const GO_ON = { text: 'Go on.' }

const TOPICS = {
  role: /software engineer/i,
  efficiency: /economical/i,
  'the file system': /do not leave copies/i,
  'the quality of code': /style of the code/i,
  'version control': /# Version control/,
  'pull requests': /pull request/i,
  'how to solve a problem': /reproduce it before/i,
  security: /# Security/,
  'external services': /service that the task does not call for/i,
  'the environment': /missing, install it/i,
  'what does not work': /failed attempts/i,
  processes: /never end processes by a broad name/i,
}

/** Section 4.7: messages, caching, the prompt, retries. */
export const PROMPT_STATEMENTS: readonly Statement[] = [
  {
    says: 'the system message is a fixed block and a block of this conversation, in this order',
    files: { 'a.txt': 'a' },
    script: two,
    shows: seen => {
      const { system_prompt, dynamic_context } = promptEvent(seen)
      expect(system_prompt.text).not.toContain(seen.folder)
      expect(dynamic_context.text).toContain(seen.folder)
      expect(system(seen).indexOf(system_prompt.text)).toBeLessThan(system(seen).indexOf(dynamic_context.text))
      expect(lastMessages(seen).map(({ role }: { role: string }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'tool',
      ])
    },
  },
  {
    says: 'the calls of an answer are one message of the assistant, and each result is a message: an observation or an error',
    script: (): Turn[] => [
      { text: 'I try both.', toolCalls: [{ name: 'fly', arguments: {} }, ...LOOK.toolCalls] },
      FINISH,
    ],
    shows: seen => {
      const [assistant, error, observation] = lastMessages(seen).slice(-3)
      expect(assistant.content).toContain('I try both.')
      const ids = assistant.tool_calls.map(({ id }: { id: string }) => id)
      expect([error, observation].map(({ role, tool_call_id }) => [role, tool_call_id])).toEqual(
        ids.map((id: string) => ['tool', id]),
      )
      expect(error.content).toContain("Tool 'fly' not found. Available:")
      expect(observation.content).toContain('marmalade')
    },
  },
  {
    says: 'the answers of a batch come together again, by llm_response_id, also when one of them was rejected',
    start: { confirmation_policy: { kind: 'AlwaysConfirm' } },
    script: () => [{ toolCalls: [...LOOK.toolCalls, ...LOOK.toolCalls] }, FINISH],
    does: [
      { text: 'Look.' },
      { post: 'events/respond_to_confirmation', body: { accept: false, reason: 'Not today.' } },
      GO_ON,
    ],
    shows: seen => {
      const actions = seen.events.filter(({ tool_name, kind }) => kind === 'ActionEvent' && tool_name === 'terminal')
      expect(new Set(actions.map(({ llm_response_id }) => llm_response_id)).size).toBe(1)
      const roles = lastMessages(seen).map(({ role }: { role: string }) => role)
      expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user'])
      for (const { content } of lastMessages(seen).slice(3, 5)) expect(content).toContain('Not today.')
    },
  },
  ...Object.entries(TOPICS).map(
    ([topic, words]): Statement => ({
      says: `the fixed block says something of ${topic}`,
      script: () => [FINISH],
      shows: seen => expect(promptEvent(seen).system_prompt.text).toMatch(words),
    }),
  ),
  {
    says: 'what the repository says to agents is marked as not the words of the user',
    files: { 'AGENTS.md': 'Run make marmalade.' },
    script: () => [FINISH],
    shows: seen => {
      const { text } = promptEvent(seen).dynamic_context
      expect(text).toContain('<repository_file path="AGENTS.md">\nRun make marmalade.\n</repository_file>')
      expect(text).toMatch(/not written by the user/)
    },
  },
  {
    says: 'what was kept in MEMORY.md is part of the prompt',
    files: { '.openhands/memory/MEMORY.md': 'Anna likes marmalade.' },
    script: () => [FINISH],
    shows: seen => expect(promptEvent(seen).dynamic_context.text).toContain('Anna likes marmalade.'),
  },
  {
    says: 'skills are listed with their descriptions, and their texts are not there yet',
    files: { '.agents/skills/tea/SKILL.md': '---\nname: tea\ndescription: Use for tea.\n---\nBoil water first.' },
    script: () => [FINISH],
    shows: seen => {
      expect(system(seen)).toContain('* tea: Use for tea.')
      expect(system(seen)).not.toContain('Boil water first.')
    },
  },
  {
    says: "the client's own words are part of the prompt",
    agent: { agent_context: { system_message_suffix: 'Speak softly.' } },
    script: () => [FINISH],
    shows: seen => expect(promptEvent(seen).dynamic_context.text).toContain('Speak softly.'),
  },
  {
    says: 'secrets are told by name and description, and never by value',
    start: { secrets: { TEA_TOKEN: { kind: 'StaticSecret', value: SECRET, description: 'Opens the tea house.' } } },
    script: () => [FINISH],
    shows: seen => {
      expect(system(seen)).toMatch(/TEA_TOKEN.*Opens the tea house\./)
      expect(JSON.stringify([seen.requests.map(({ body }) => body), seen.events])).not.toContain(SECRET)
    },
  },
  {
    says: 'the date comes last, so that what is before it can be cached',
    files: { 'AGENTS.md': 'Run make marmalade.' },
    agent: { agent_context: { system_message_suffix: 'Speak softly.', current_datetime: '2031-02-03' } },
    script: () => [FINISH],
    shows: seen => expect(promptEvent(seen).dynamic_context.text).toMatch(/2031-02-03\.$/),
  },
  ...(['rate-limit', 'server-error', 'overloaded', 'refused', 'disconnected', 'malformed'] as const).map(
    (fault): Statement => ({
      says: `the model is asked five times at most: ${fault}`,
      llm: () => AT_ONCE,
      script: () => [...Array(4).fill({ ...LOOK, fault }), FINISH],
      shows: seen => {
        expect(seen.requests).toHaveLength(5)
        expect(seen.info.execution_status).toBe('finished')
      },
    }),
  ),
  {
    says: 'then the conversation has failed, and says why',
    llm: () => AT_ONCE,
    script: () => Array(6).fill({ fault: 'server-error' }),
    shows: seen => {
      expect(seen.requests).toHaveLength(5)
      expect(seen.info.execution_status).toBe('error')
      const error = seen.events.find(({ kind }) => kind === 'ConversationErrorEvent')
      expect(error.classification).toMatchObject({ kind: 'transient', retryable: true })
    },
  },
  {
    says: 'a refused key is asked with once',
    llm: () => AT_ONCE,
    script: () => [{ fault: 'authentication' }, FINISH],
    shows: seen => {
      expect(seen.requests).toHaveLength(1)
      const error = seen.events.find(({ kind }) => kind === 'ConversationErrorEvent')
      expect(error.classification).toMatchObject({ kind: 'auth', user_action: 'settings' })
    },
  },
]
