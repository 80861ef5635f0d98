import { expect } from 'vitest'
import type { WireName } from '../../fakes/model-server/turn.ts'
import type { ModelServer } from '../../fakes/model-server.ts'
import { FINISH, tool } from '../../parts/client/gateway-conversation.ts'
import type { Seen, Statement } from '../../parts/statement.ts'

const finish = () => [FINISH]
const context = ({ events }: Seen): string =>
  events.find(({ kind }) => kind === 'SystemPromptEvent').dynamic_context.text
const messages = ({ events }: Seen) => events.filter(({ kind, source }) => kind === 'MessageEvent' && source === 'user')
const activated = (seen: Seen) => messages(seen).map(({ activated_skills }) => activated_skills)
const given = (seen: Seen) => JSON.stringify(messages(seen).map(({ extended_content }) => extended_content))
const read = (name: string) => tool('invoke_skill', { name })
const invoked = ({ events }: Seen) =>
  events
    .filter(({ observation }) => observation?.kind === 'InvokeSkillObservation')
    .map(({ observation }) => observation.content[0].text)
const agentSkill = (name: string, body: string, more = '') => ({
  [`.agents/skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: Use for ${name}.\n${more}---\n${body}`,
})
const TRIGGERED = { '.openhands/microagents/tea.md': '---\ntriggers: [tea, kettle]\n---\nBoil water first.' }
const say = (text: string) => [{ text }]
const llm =
  (model: string, wire: WireName = 'openai') =>
  ({ url }: ModelServer) => ({ model, base_url: url[wire], api_key: 'sk-of-the-model' })

/** Section 5: what a repository says to agents. */
export const SKILL_STATEMENTS: readonly Statement[] = [
  {
    says: 'of skills of one name the first folder wins: .agents/skills, .openhands/skills, .openhands/microagents',
    files: {
      '.openhands/microagents/tea.md': '---\ntriggers: [tea]\n---\nThird.',
      '.openhands/skills/tea.md': '---\ntriggers: [tea]\n---\nSecond.',
      '.agents/skills/tea.md': '---\ntriggers: [tea]\n---\nFirst.',
      '.openhands/microagents/milk.md': '---\ntriggers: [milk]\n---\nMilk third.',
      '.openhands/skills/milk.md': '---\ntriggers: [milk]\n---\nMilk second.',
    },
    script: finish,
    does: say('tea with milk'),
    shows: seen => {
      expect(activated(seen)).toEqual([['tea', 'milk']])
      expect(given(seen)).toContain('First.')
      expect(given(seen)).toContain('Milk second.')
      expect(given(seen)).not.toMatch(/Second|[Tt]hird/)
    },
  },
  {
    says: 'the working directory wins over the root of the repository',
    files: {
      'inner/.agents/skills/tea.md': '---\ntriggers: [tea]\n---\nInner.',
      '.agents/skills/tea.md': '---\ntriggers: [tea]\n---\nOuter.',
      '.agents/skills/milk.md': '---\ntriggers: [milk]\n---\nOuter milk.',
    },
    prepare: 'git init -q .',
    below: 'inner',
    script: finish,
    does: say('tea with milk'),
    shows: seen => {
      expect(given(seen)).toContain('Inner.')
      expect(given(seen)).toContain('Outer milk.')
      expect(given(seen)).not.toContain('Outer.')
    },
  },
  ...(['AGENTS.md', 'agents.md', 'Agent.MD', '.cursorrules'] as const).map(
    (file): Statement => ({
      says: `${file} of the root is always there`,
      files: { [file]: 'Run make marmalade.' },
      script: finish,
      shows: seen => expect(context(seen)).toContain('Run make marmalade.'),
    }),
  ),
  ...(
    [
      ['CLAUDE.md', 'anthropic/claude-sonnet-4-5', 'anthropic', true],
      ['CLAUDE.md', 'gemini/gemini-2.5-flash', 'gemini', false],
      ['GEMINI.md', 'gemini/gemini-2.5-flash', 'gemini', true],
      ['GEMINI.md', 'openai/my-model', 'openai', false],
    ] as const
  ).map(
    ([file, model, wire, isThere]): Statement => ({
      says: `${file} is ${isThere ? 'there' : 'not there'} for ${model}`,
      files: { [file]: 'Run make marmalade.' },
      llm: llm(model, wire),
      script: finish,
      shows: seen => expect(context(seen).includes('Run make marmalade.')).toBe(isThere),
    }),
  ),
  {
    says: 'a file of a folder below comes up when a file of that folder is touched',
    files: { 'api/AGENTS.md': 'REST only here.', 'api/routes.txt': 'GET /', 'web/page.txt': 'Hello' },
    script: () => [
      tool('file_editor', { command: 'view', path: '/workspace/nowhere' }),
      tool('terminal', { command: 'cat web/page.txt' }),
      tool('terminal', { command: 'cat api/routes.txt' }),
      FINISH,
    ],
    shows: seen => {
      expect(context(seen)).not.toContain('REST only here.')
      const results = seen.events.filter(({ kind, tool_name }) => kind === 'ObservationEvent' && tool_name !== 'finish')
      const rules = results.map(({ extended_content }) => JSON.stringify(extended_content ?? []).includes('REST only'))
      expect(rules.slice(-2)).toEqual([false, true])
    },
  },
  {
    says: 'paths in the front matter are such a rule for what they match',
    files: {
      '.openhands/skills/sql.md': '---\npaths: ["db/**/*.sql"]\n---\nName constraints.',
      'db/a/one.sql': 'select 1',
    },
    script: () => [tool('terminal', { command: 'cat db/a/one.sql' }), FINISH],
    shows: ({ requests }) => {
      expect(JSON.stringify(requests[0]?.body.messages)).not.toContain('Name constraints.')
      expect(JSON.stringify(requests[1]?.body.messages)).toContain('Name constraints.')
    },
  },
  {
    says: 'without paths, inputs and triggers a file is always there, with front matter or without',
    files: {
      '.openhands/microagents/plain.md': 'Use tabs.',
      '.openhands/skills/style.md': '---\nname: style\n---\nUse marmalade.',
    },
    script: finish,
    shows: seen => {
      expect(context(seen)).toContain('Use tabs.')
      expect(context(seen)).toContain('Use marmalade.')
    },
  },
  {
    says: 'README.md in those folders is none, and .openhands_instructions is one',
    files: { '.openhands/microagents/README.md': 'How to write these.', '.openhands_instructions': 'Be brief.' },
    script: finish,
    shows: seen => {
      expect(context(seen)).toContain('Be brief.')
      expect(context(seen)).not.toContain('How to write these.')
    },
  },
  ...(
    [
      ['a word of its own', 'Make tea now', true],
      ['in any case', 'TEA, please', true],
      ['not a part of another word', 'Build a team', false],
      ['another word of the list', 'Where is the kettle?', true],
    ] as const
  ).map(
    ([what, text, comes]): Statement => ({
      says: `a trigger is found as a whole word, whatever its case: ${what}`,
      files: TRIGGERED,
      script: finish,
      does: say(text),
      shows: seen => expect(activated(seen)).toEqual([comes ? ['tea'] : []]),
    }),
  ),
  {
    says: 'what a trigger brings is an EXTRA_INFO block of the message, and the skill is named in activated_skills',
    files: TRIGGERED,
    script: finish,
    does: say('Make tea'),
    shows: seen => {
      const [{ extended_content, activated_skills, llm_message }] = messages(seen)
      expect(activated_skills).toEqual(['tea'])
      expect(extended_content[0].text).toMatch(/^<EXTRA_INFO[\s\S]*Boil water first\.[\s\S]*<\/EXTRA_INFO>$/)
      expect(JSON.stringify(llm_message)).not.toContain('Boil water')
      expect(JSON.stringify(seen.requests[0]?.body.messages)).toContain('Boil water first.')
      expect(seen.info.activated_knowledge_skills).toEqual(['tea'])
    },
  },
  {
    says: 'each skill comes up once in a conversation',
    files: TRIGGERED,
    script: () => [FINISH, FINISH],
    does: [{ text: 'Make tea' }, { text: 'More tea' }],
    shows: seen => expect(activated(seen)).toEqual([['tea'], []]),
  },
  {
    says: 'inputs make a task of it: /name brings it, with the inputs to ask for',
    files: {
      '.openhands/microagents/brew.md':
        '---\nname: brew\ninputs:\n  - name: SORT\n    description: Green or black\n---\nBrew ${SORT}.',
    },
    script: () => [FINISH, FINISH],
    does: [{ text: 'Please brew' }, { text: '/brew now' }],
    shows: seen => {
      expect(activated(seen)).toEqual([[], ['brew']])
      expect(given(seen)).toMatch(/SORT: Green or black/)
      expect(given(seen)).toMatch(/ask for it/)
    },
  },
  {
    says: 'a folder with SKILL.md is listed with its description, and read with invoke_skill, with its files',
    files: {
      ...agentSkill('make-tea', 'Boil water first.', 'license: MIT\ncompatibility: any\nmetadata: {a: b}\n'),
      '.agents/skills/make-tea/scripts/boil.sh': 'echo boiled',
      '.agents/skills/make-tea/references/leaves.md': 'Leaves.',
    },
    script: () => [read('make-tea'), FINISH],
    shows: seen => {
      expect(context(seen)).toContain('* make-tea: Use for make-tea.')
      const [text] = invoked(seen)
      expect(text).toContain('Boil water first.')
      expect(text).toContain('scripts/boil.sh')
      expect(text).toContain('references/leaves.md')
      expect(seen.info.invoked_skills).toEqual(['make-tea'])
    },
  },
  {
    says: 'commands in the text are run in the working directory when it is read; one that fails or lasts says so',
    files: { 'a.txt': 'marmalade' },
    agent: {
      agent_context: {
        skills: [
          {
            name: 'commands',
            description: 'Runs some.',
            is_agentskills_format: true,
            content: 'It holds !`cat a.txt`.\nNo !`exit 3`.\nSlow !`sleep 60`.\n```\n!`echo shown`\n```\nMuch !`yes`.',
          },
        ],
      },
    },
    script: () => [read('commands'), FINISH],
    shows: seen => {
      const [text] = invoked(seen)
      expect(text).toContain('It holds marmalade.\nNo [`exit 3` ended with exit code 3.].')
      expect(text).toContain('Slow [`sleep 60` was ended after 10 seconds.].')
      expect(text).toContain('```\n!`echo shown`\n```')
      expect(text.length).toBeLessThan(20_000)
    },
  },
  {
    says: 'commands of a repository that nobody trusts are not run, and the agent reads so',
    files: agentSkill('tea', 'Now !`echo $((40 + 2))`.'),
    script: () => [read('tea'), FINISH],
    shows: seen => {
      expect(invoked(seen)[0]).toContain('was not run, as the user has not trusted this skill')
      expect(invoked(seen)[0]).not.toContain('42')
    },
  },
  {
    says: 'commands of a skill that a message brings are not run, and the agent reads so',
    files: { '.openhands/microagents/tea.md': '---\ntriggers: [tea]\n---\nNow !`echo $((40 + 2))`.' },
    script: finish,
    does: say('tea'),
    shows: seen => expect(given(seen)).toMatch(/were not run\. Run them with the terminal/),
  },
  {
    says: 'disable-model-invocation keeps it from the list and the tool, and /name brings it all the same',
    files: agentSkill('secret-tea', 'Whisper.', 'disable-model-invocation: true\n'),
    script: () => [read('secret-tea'), FINISH, FINISH],
    does: [{ text: 'Begin' }, { text: '/secret-tea' }],
    shows: seen => {
      expect(context(seen)).not.toContain('secret-tea')
      expect(JSON.stringify(seen.requests[1]?.body.messages)).not.toContain('Whisper.')
      expect(activated(seen)).toEqual([[], ['secret-tea']])
    },
  },
  ...(
    [
      ['its folder has another name', '.agents/skills/other/SKILL.md', 'make-tea'],
      ['it has capital letters', '.agents/skills/MakeTea/SKILL.md', 'MakeTea'],
      ['it has two hyphens', '.agents/skills/make--tea/SKILL.md', 'make--tea'],
      ['it is longer than 64 characters', `.agents/skills/${'t'.repeat(65)}/SKILL.md`, 't'.repeat(65)],
    ] as const
  ).map(
    ([why, path, name]): Statement => ({
      says: `a name is refused when ${why}`,
      files: { [path]: `---\nname: ${name}\ndescription: Use for tea.\n---\nBoil.` },
      script: finish,
      shows: seen => expect(context(seen)).not.toContain('Use for tea.'),
    }),
  ),
  {
    says: 'a description is cut after 1024 characters, and a text where it would bury the rest',
    files: {
      '.agents/skills/long/SKILL.md': `---\nname: long\ndescription: ${'d'.repeat(2000)}\n---\n${'x'.repeat(60_000)}`,
    },
    script: () => [read('long'), FINISH],
    shows: seen => {
      expect(context(seen)).toContain(`* long: ${'d'.repeat(1024)}`)
      expect(context(seen)).not.toContain('d'.repeat(1025))
      expect(invoked(seen)[0].length).toBeLessThan(33_000)
      expect(invoked(seen)[0]).toContain('of 60000 characters')
    },
  },
  {
    says: 'the skills of a folder are listed with their type, their triggers and where they come from',
    files: { ...TRIGGERED, ...agentSkill('make-tea', 'Boil.'), 'AGENTS.md': 'Run make.' },
    script: finish,
    does: [{ post: '/api/skills', body: { load_user: false } }],
    shows: ({ answers: [listed] }) => {
      expect(listed.sources).toMatchObject({ public: 0, org: 0 })
      for (const skill of listed.skills) expect(['repo', 'knowledge', 'agentskills']).toContain(skill.type)
    },
  },
]
