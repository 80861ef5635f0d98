import type { Skill } from '../../server/domain/skill.ts'

export interface SkillCase {
  it: string
  path: string
  text: string
  /** Parts of the skill; null when there is none. */
  skill: Partial<Skill> | null
  /** A part of each problem. */
  problems?: string[]
}

const SKILL = (fields: string, body = 'Do it.') => `---\n${fields}\n---\n${body}`
const AGENT = '.agents/skills/make-tea/SKILL.md'

const server = (command: string, ...args: string[]) => ({
  transport: 'stdio' as const,
  command,
  args,
  env: {},
  cwd: null,
  timeout: null,
  enabled: true,
})

export const SKILL_CASES: SkillCase[] = [
  {
    it: 'a folder with SKILL.md is read when the model wants to',
    path: AGENT,
    text: SKILL('name: make-tea\ndescription: Makes tea.'),
    skill: {
      name: 'make-tea',
      description: 'Makes tea.',
      content: 'Do it.',
      activation: { kind: 'invoked' },
      folder: '/w/.agents/skills/make-tea',
      userOnly: false,
    },
  },
  {
    it: 'its triggers make it active too',
    path: AGENT,
    text: SKILL('name: make-tea\ndescription: Makes tea.\ntriggers: [tea, kettle]'),
    skill: { activation: { kind: 'words', words: ['tea', 'kettle'] }, folder: '/w/.agents/skills/make-tea' },
  },
  {
    it: 'it may be for the user alone',
    path: AGENT,
    text: SKILL('name: make-tea\ndescription: Makes tea.\ndisable-model-invocation: true'),
    skill: { userOnly: true },
  },
  {
    it: 'unknown fields are nobody’s business',
    path: AGENT,
    text: SKILL('name: make-tea\ndescription: d\nlicense: MIT\nallowed-tools: Bash\nmetadata: {a: b}'),
    skill: { name: 'make-tea' },
  },
  {
    it: 'without front matter it is no skill',
    path: AGENT,
    text: 'Just text.',
    skill: null,
    problems: ['front matter'],
  },
  {
    it: 'broken YAML is no skill',
    path: AGENT,
    text: SKILL(': ['),
    skill: null,
    problems: ['not YAML'],
  },
  {
    it: 'a description is needed',
    path: AGENT,
    text: SKILL('name: make-tea'),
    skill: null,
    problems: ['lacks a name or a description'],
  },
  {
    it: 'an empty description is none',
    path: AGENT,
    text: SKILL('name: make-tea\ndescription: "  "'),
    skill: null,
    problems: ['description is empty'],
  },
  {
    it: 'a name with capitals is refused',
    path: '.agents/skills/Make/SKILL.md',
    text: SKILL('name: Make\ndescription: d'),
    skill: null,
    problems: ['lower-case'],
  },
  {
    it: 'a name with two hyphens in a row is refused',
    path: '.agents/skills/a--b/SKILL.md',
    text: SKILL('name: a--b\ndescription: d'),
    skill: null,
    problems: ['single hyphens'],
  },
  {
    it: 'a name that climbs is refused',
    path: '.agents/skills/x/SKILL.md',
    text: SKILL('name: ../../etc\ndescription: d'),
    skill: null,
    problems: ['lower-case'],
  },
  {
    it: 'a name over 64 characters is refused',
    path: `.agents/skills/${'a'.repeat(65)}/SKILL.md`,
    text: SKILL(`name: ${'a'.repeat(65)}\ndescription: d`),
    skill: null,
    problems: ['at most 64'],
  },
  {
    it: 'its name is that of its folder',
    path: AGENT,
    text: SKILL('name: make-coffee\ndescription: d'),
    skill: null,
    problems: ['its folder is make-tea'],
  },
  {
    it: 'a long description is cut and told',
    path: AGENT,
    text: SKILL(`name: make-tea\ndescription: ${'d'.repeat(2000)}`),
    skill: { description: 'd'.repeat(1024) },
    problems: ['cut after 1024'],
  },
  {
    it: 'a file with triggers is active by words',
    path: '.openhands/microagents/deploy.md',
    text: SKILL('name: deploy\ntype: knowledge\ntriggers:\n  - deploy\n  - release\n  - deploy'),
    skill: { name: 'deploy', activation: { kind: 'words', words: ['deploy', 'release'] }, folder: null },
  },
  {
    it: 'one trigger need not be a list',
    path: '.openhands/skills/deploy.md',
    text: SKILL('triggers: deploy'),
    skill: { name: 'deploy', activation: { kind: 'words', words: ['deploy'] } },
  },
  {
    it: 'numbers are words',
    path: '.openhands/skills/http.md',
    text: SKILL('triggers: [404, 500]'),
    skill: { activation: { kind: 'words', words: ['404', '500'] } },
  },
  {
    it: 'inputs make a command',
    path: '.openhands/microagents/rename.md',
    text: SKILL('name: rename\ninputs:\n  - name: FROM\n    description: Old name\n  - name: TO'),
    skill: {
      activation: { kind: 'words', words: ['/rename'] },
      inputs: [
        { name: 'FROM', description: 'Old name' },
        { name: 'TO', description: '' },
      ],
    },
  },
  {
    it: 'paths make a rule for files, whatever else is there',
    path: '.openhands/skills/ts.md',
    text: SKILL('paths: ["**/*.ts"]\ntriggers: [typescript]'),
    skill: { activation: { kind: 'paths', patterns: ['**/*.ts'], base: '/w' } },
  },
  {
    it: 'without all these it is always active',
    path: '.openhands/microagents/repo.md',
    text: SKILL('name: about\nagent: CodeActAgent\nversion: 1.0.0', 'Use make.'),
    skill: { name: 'about', content: 'Use make.', activation: { kind: 'always' } },
  },
  {
    it: 'so is a file without front matter, named by its place',
    path: '.openhands/microagents/team/style.md',
    text: 'Tabs.',
    skill: { name: 'team/style', content: 'Tabs.', activation: { kind: 'always' } },
  },
  {
    it: 'broken front matter leaves the text, and is told',
    path: '.openhands/microagents/broken.md',
    text: '---\n: [\n---\nStill text.\n',
    skill: { name: 'broken', content: 'Still text.\n', activation: { kind: 'always' } },
    problems: ['counts as plain text'],
  },
  {
    it: 'front matter that is a list is none',
    path: '.openhands/microagents/list.md',
    text: '---\n- a\n- b\n---\nText.',
    skill: { content: 'Text.' },
    problems: ['not a list of fields'],
  },
  {
    it: 'a rule in the text is no front matter',
    path: '.openhands/microagents/rule.md',
    text: 'First.\n---\nname: x\n---\n',
    skill: { name: 'rule', content: 'First.\n---\nname: x\n---\n' },
  },
  {
    it: 'empty front matter is none of a problem',
    path: '.openhands/microagents/empty.md',
    text: '---\n---\nText.',
    skill: { name: 'empty', content: 'Text.', activation: { kind: 'always' } },
  },
  {
    it: 'other systems’ line ends and byte order marks are understood',
    path: '.openhands/microagents/dos.md',
    text: '\uFEFF---\r\nname: dos\r\ntriggers: [x]\r\n---\r\nText.\r\n',
    skill: { name: 'dos', content: 'Text.\r\n', activation: { kind: 'words', words: ['x'] } },
  },
  {
    it: 'its tool servers are known by name',
    path: '.openhands/microagents/fetch.md',
    text: SKILL('mcp_tools:\n  stdio_servers:\n    - name: fetch\n      command: uvx\n    - 5'),
    skill: { tools: ['fetch'], servers: { fetch: server('uvx') } },
    problems: ['no name'],
  },
  {
    it: 'tool servers that are addresses, or want a secret, are left out in words',
    path: '.openhands/microagents/net.md',
    text: SKILL(
      [
        'mcp_tools:',
        '  shttp_servers: [https://mcp.example.com/v1]',
        '  stdio_servers:',
        `    - {name: keyed, command: run, env: {KEY: "\${MY_KEY}"}}`,
        `    - {name: mild, command: run, args: ["\${PLACE:-here}"]}`,
      ].join('\n'),
    ),
    skill: { servers: { mild: server('run', 'here') } },
    problems: ['keyed is not started: it wants MY_KEY', 'mcp_example_com_v1 is not started: it is an address'],
  },
  {
    it: 'triggers beyond all measure are left out',
    path: '.openhands/microagents/many.md',
    text: SKILL(`triggers: [${[...Array(80).keys()].map(index => `w${index}`).join(', ')}, ${'x'.repeat(101)}]`),
    skill: { activation: { kind: 'words', words: [...Array(50).keys()].map(index => `w${index}`) } },
  },
  {
    it: 'an alias bomb is not expanded',
    path: '.openhands/microagents/bomb.md',
    text: SKILL(
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefgh'
          .split('')
          .map((key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[index]}`).join(',')}]`),
      ].join('\n'),
    ),
    skill: { name: 'bomb', activation: { kind: 'always' } },
    problems: ['not YAML'],
  },
  {
    it: 'AGENTS.md at the root is for everything',
    path: 'AGENTS.md',
    text: '---\nname: kept\n---\nRun the tests.',
    skill: { name: 'AGENTS', content: '---\nname: kept\n---\nRun the tests.', activation: { kind: 'always' } },
  },
  {
    it: 'AGENTS.md of a folder is for its files',
    path: 'packages/a[b]/Agents.md',
    text: 'Here.',
    skill: {
      name: 'packages/a[b]/Agents',
      activation: { kind: 'paths', patterns: ['packages/a[[]b]/**'], base: '/w' },
    },
  },
  {
    it: 'the oldest form has a name of its own',
    path: '.openhands_instructions',
    text: 'Old.',
    skill: { name: 'repo_legacy', activation: { kind: 'always' } },
  },
]
