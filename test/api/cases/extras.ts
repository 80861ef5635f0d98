import { expect } from 'vitest'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { FINISH, tool } from '../../parts/client/gateway-conversation.ts'
import type { Seen, Statement } from '../../parts/statement.ts'

const LOOK = tool('terminal', { command: 'echo marmalade' })
const two = () => [LOOK, FINISH]
const slowly = () => [{ ...LOOK, delayMs: 300 }, { ...LOOK, delayMs: 300 }, FINISH]
const hooks = (config: object) => ({ hook_config: config })
const one = (fields: object, matcher = '*') => [{ matcher, hooks: [fields] }]
const rejections = ({ events }: Seen) => events.filter(({ kind }) => kind === 'UserRejectObservation')
const results = ({ events }: Seen) =>
  events.filter(({ kind, tool_name }) => kind === 'ObservationEvent' && tool_name === 'terminal')
const executions = ({ events }: Seen) => events.filter(({ kind }) => kind === 'HookExecutionEvent')
const said = (request: ModelRequest | undefined) => JSON.stringify(request?.body.messages)
const CALL = 'Count the spoons'
const isSubAgent = (request: ModelRequest) => said(request).includes(CALL) && !said(request).includes('Begin, and mind')
const delegating = (kind: string) => () => (request: ModelRequest) => {
  if (isSubAgent(request)) return tool('finish', { message: 'Twelve spoons.' })
  return said(request).includes('Twelve spoons.') ? FINISH : tool('task', { prompt: CALL, subagent_type: kind })
}
const BLOCK = 'echo "Not with us." >&2; exit 2'

/** Section 4.9: titles, sub-agents, hooks. */
export const EXTRA_STATEMENTS: readonly Statement[] = [
  {
    says: 'a title has at most 50 characters',
    title: 'Marmalade and toast and many other things for breakfast in the morning',
    script: slowly,
    shows: ({ info }) => {
      expect(info.title).toMatch(/^Marmalade and toast/)
      expect([...info.title].length).toBeLessThanOrEqual(50)
    },
  },
  {
    says: 'the model reads 1,000 characters of the first message for it',
    title: 'Marmalade',
    does: [{ text: `${'marmalade '.repeat(150)}and the end` }],
    script: slowly,
    shows: ({ titles: [asked], info }) => {
      const text = said(asked)
      expect(text.match(/marmalade/g)).toHaveLength(100)
      expect(text).not.toContain('and the end')
      expect(info.title).toBe('Marmalade')
    },
  },
  {
    says: 'without an answer the title is cut from the first message',
    does: [{ text: 'Put marmalade on toast, and then go on with many other things for breakfast' }],
    script: slowly,
    shows: ({ info }) => {
      expect(info.title).toMatch(/^Put marmalade on toast/)
      expect([...info.title].length).toBeLessThanOrEqual(60)
    },
  },
  {
    says: 'a saved model gives the title where the client names one',
    title: 'Marmalade',
    does: [{ text: 'Begin.' }],
    start: { title_llm_profile: 'namer' },
    before: ({ url }) => [
      {
        post: '/api/profiles/namer',
        body: { llm: { model: 'openai/namer', base_url: url.openai, api_key: 'sk-of-the-namer' } },
        status: 201,
      },
    ],
    script: slowly,
    shows: ({ titles, info }) => {
      expect(titles.map(({ model }) => model)).toEqual(['namer'])
      expect(titles[0]?.headers.authorization).toBe('Bearer sk-of-the-namer')
      expect(info.title).toBe('Marmalade')
      expect(info.stats.usage_to_metrics.title.model_name).toBe('namer')
    },
  },
  {
    says: "the conversation's own model gives it when the saved one does not answer",
    title: 'Marmalade',
    does: [{ text: 'Begin.' }],
    start: { title_llm_profile: 'broken' },
    before: ({ origin }) => [
      {
        post: '/api/profiles/broken',
        body: { llm: { model: 'openai/broken', base_url: `${origin}/nowhere`, api_key: 'sk-x' } },
        status: 201,
      },
    ],
    script: slowly,
    shows: ({ titles, info }) => {
      expect(titles.map(({ model }) => model)).toEqual(['scripted'])
      expect(info.title).toBe('Marmalade')
    },
  },
  ...['general-purpose', 'code-explorer', 'bash-runner', 'web-researcher'].map(
    (kind): Statement => ({
      says: `there is a sub-agent ${kind}`,
      script: delegating(kind),
      shows: seen => {
        const result = seen.events.find(({ observation }) => observation?.kind === 'TaskObservation')
        expect(result.observation).toMatchObject({ subagent: kind, status: 'completed', is_error: false })
        expect(seen.info.sub_conversation_ids).toHaveLength(1)
      },
    }),
  ),
  {
    says: 'sub-agents of the folder are offered with their description, without the examples, and follow their file',
    files: {
      '.agents/agents/counter.md':
        '---\nname: counter\ndescription: Counts things. <example>never</example>\nmodel: inherit\ncolor: red\ntools: [read]\nmax_iteration_per_run: 3\nmax_budget_per_run: 0.5\n---\nCount twice.',
      '.openhands/agents/counter.md': '---\nname: counter\ndescription: Is hidden.\n---\nCount once.',
    },
    script: delegating('counter'),
    shows: seen => {
      const described = JSON.stringify(seen.requests[0]?.body.tools)
      expect(described).toContain('* counter: Counts things.')
      expect(described).not.toMatch(/never<|Is hidden/)
      const child = seen.requests.find(isSubAgent)
      expect(said(child)).toContain('Count twice.')
      expect(child?.model).toBe('scripted')
      const tools = child?.body.tools.map((each: { function: { name: string } }) => each.function.name)
      expect(tools).not.toContain('terminal')
    },
  },
  ...(
    [
      ['PreToolUse', { PreToolUse: one({ command: BLOCK }) }],
      ['pre_tool_use', { pre_tool_use: one({ command: BLOCK }) }],
      ['under "hooks"', { hooks: { PreToolUse: one({ command: BLOCK }) } }],
      ['matched by the exact name', { PreToolUse: one({ command: BLOCK }, 'terminal') }],
      ['matched by a regular expression', { PreToolUse: one({ command: BLOCK }, 'term.*|grep') }],
      ['by a decision', { PreToolUse: one({ command: `echo '{"decision":"deny","reason":"Not with us."}'` }) }],
    ] as const
  ).map(
    ([how, config]): Statement => ({
      says: `a call that a hook blocks is rejected by the hook: ${how}`,
      start: hooks(config),
      script: two,
      shows: seen => {
        expect(rejections(seen)[0]).toMatchObject({ rejection_source: 'hook', rejection_reason: 'Not with us.' })
        expect(results(seen)).toEqual([])
        expect(said(seen.requests[1])).toContain('Not with us.')
      },
    }),
  ),
  {
    says: 'a hook of another tool is not asked',
    start: hooks({ PreToolUse: one({ command: BLOCK }, 'file_editor') }),
    script: two,
    shows: seen => {
      expect(executions(seen)).toEqual([])
      expect(results(seen)).toHaveLength(1)
    },
  },
  {
    says: 'any other exit code is told and blocks nothing',
    start: hooks({ PreToolUse: one({ command: 'echo broken >&2; exit 1' }, 'terminal') }),
    script: two,
    shows: seen => {
      expect(executions(seen)[0]).toMatchObject({ success: false, blocked: false, exit_code: 1, stderr: 'broken\n' })
      expect(results(seen)).toHaveLength(1)
    },
  },
  {
    says: 'a hook reads on its standard input what happens, and in its environment where',
    start: hooks({
      PostToolUse: one(
        {
          command:
            'cat; echo "$OPENHANDS_PROJECT_DIR $OPENHANDS_EVENT_TYPE $OPENHANDS_TOOL_NAME $OPENHANDS_SESSION_ID" >&2',
        },
        'terminal',
      ),
    }),
    script: two,
    shows: seen => {
      const [{ stdout, stderr }] = executions(seen)
      const input = JSON.parse(stdout)
      expect(Object.keys(input).sort()).toEqual([
        'event_type',
        'message',
        'metadata',
        'session_id',
        'tool_input',
        'tool_name',
        'tool_response',
        'working_dir',
      ])
      expect(input).toMatchObject({
        event_type: 'PostToolUse',
        tool_name: 'terminal',
        tool_input: { command: 'echo marmalade' },
        working_dir: seen.folder,
      })
      expect(JSON.stringify(input.tool_response)).toContain('marmalade')
      expect(stderr.trim()).toBe(`${seen.folder} PostToolUse terminal ${input.session_id}`)
    },
  },
  {
    says: 'what a hook adds is read by the model',
    start: hooks({
      PreToolUse: one({ command: `echo '{"decision":"allow","additionalContext":"Mind the crust."}'` }, 'terminal'),
    }),
    script: two,
    shows: seen => expect(said(seen.requests[1])).toContain('Mind the crust.'),
  },
  {
    says: 'a blocked message ends the turn without the model',
    start: hooks({ UserPromptSubmit: one({ command: BLOCK }) }),
    script: two,
    shows: seen => {
      expect(seen.requests).toEqual([])
      expect(seen.info.execution_status).toBe('finished')
      expect(Object.values(seen.info.blocked_messages)).toEqual(['Not with us.'])
    },
  },
  {
    says: 'a hook at the end lets the agent go on with its reason',
    start: hooks({ Stop: one({ command: '[ -e tested ] && exit 0; touch tested; echo "Test first." >&2; exit 2' }) }),
    prepare: 'true',
    script: () => [FINISH, LOOK, FINISH],
    shows: seen => {
      expect(said(seen.requests[1])).toContain('Test first.')
      expect(results(seen)).toHaveLength(1)
      expect(seen.info.execution_status).toBe('finished')
    },
  },
  {
    says: 'a session begins once',
    start: hooks({ SessionStart: one({ command: 'echo begun' }) }),
    script: () => [FINISH, FINISH],
    does: [{ text: 'Begin.' }, { text: 'Go on.' }],
    shows: seen => expect(executions(seen).map(({ hook_event_type }) => hook_event_type)).toEqual(['SessionStart']),
  },
  ...(['prompt', 'agent'] as const).map(
    (type): Statement => ({
      says: `a hook of the type ${type} that gets no answer lets everything go on`,
      start: hooks({ PreToolUse: one({ type, prompt: 'Is this careful?' }, 'terminal') }),
      script: () => request => {
        if (JSON.stringify(request.body).includes('Is this careful?')) return { fault: 'bad-request' }
        return said(request).includes('marmalade') ? FINISH : LOOK
      },
      shows: seen => {
        expect(executions(seen)[0]).toMatchObject({ success: false, blocked: false })
        expect(results(seen)).toHaveLength(1)
      },
    }),
  ),
  {
    says: 'a hook that is not waited for blocks nothing',
    start: hooks({ PreToolUse: one({ command: `sleep 5; ${BLOCK}`, async: true }, 'terminal') }),
    script: two,
    shows: seen => expect(results(seen)).toHaveLength(1),
  },
  {
    says: 'the hooks file of the folder is read',
    files: { '.openhands/hooks.json': JSON.stringify({ hooks: { PreToolUse: one({ command: BLOCK }, 'terminal') } }) },
    script: two,
    shows: seen => expect(rejections(seen)).toHaveLength(1),
  },
  {
    says: 'a hooks file with a key that there is not runs nothing, and the log says so',
    files: { '.openhands/hooks.json': JSON.stringify({ PreToolUse: one({ command: BLOCK }), Sometimes: [] }) },
    script: two,
    shows: seen => {
      expect(rejections(seen)).toEqual([])
      expect(executions(seen)[0].error).toContain('Sometimes')
    },
  },
  ...(
    [
      ['critic', { critic: { kind: 'PassCritic' } }],
      ['tool_concurrency_limit', { tool_concurrency_limit: 4 }],
    ] as const
  ).map(
    ([field, agent]): Statement => ({
      says: `what there is not is refused by its name: ${field}`,
      script: two,
      does: [
        {
          post: '/api/conversations',
          body: { agent: { kind: 'Agent', llm: {}, ...agent }, workspace: { working_dir: '/workspace/project' } },
          status: 422,
        },
      ],
      shows: ({ answers: [{ detail }] }) => expect(JSON.stringify(detail)).toContain(field),
    }),
  ),
  {
    says: 'a goal is refused with the reason',
    script: two,
    does: [{ post: 'goal', body: { objective: 'Toast' }, status: 501 }],
    shows: ({ answers: [{ detail }] }) => expect(detail).toMatch(/goal/),
  },
]
