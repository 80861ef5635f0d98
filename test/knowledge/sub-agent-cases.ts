/** Front matter and body of a file `.agents/agents/reviewer.md`, and what it makes, in part; a text is why it is refused. */
export const SUB_AGENT_CASES: { what: string; text: string; expected: object | string; problems?: string[] }[] = [
  {
    what: 'only a description',
    text: '---\ndescription: Reads diffs.\n---\nBe kind.\n',
    expected: { name: 'reviewer', description: 'Reads diffs.', prompt: 'Be kind.', tools: null, model: null },
  },
  {
    what: 'all that counts',
    text: '---\nname: Code_Reviewer-2\ndescription: x\nmodel: openai/gpt-5-mini\ntools: [Read, Grep]\nmax_iteration_per_run: 12\nmax_budget_per_run: 0.5\ncolor: red\n---\n',
    expected: {
      name: 'code_reviewer-2',
      model: 'openai/gpt-5-mini',
      tools: ['read', 'grep'],
      maxSteps: 12,
      maxBudget: 0.5,
    },
  },
  {
    what: 'tools as a line',
    text: '---\ndescription: x\ntools: Read, Bash,\n---\n',
    expected: { tools: ['read', 'bash'] },
  },
  { what: 'no tools at all', text: '---\ndescription: x\ntools: []\n---\n', expected: { tools: [] } },
  {
    what: 'the model of the conversation',
    text: '---\ndescription: x\nmodel: inherit\n---\n',
    expected: { model: null },
  },
  {
    what: 'a model that has no provider',
    text: '---\ndescription: x\nmodel: sonnet\n---\n',
    expected: { model: null },
    problems: ['its model sonnet is not written as provider/model'],
  },
  {
    what: 'examples in the description',
    text: '---\ndescription: |\n  Reads\n  diffs. <example>user: hi\n  </example> Use it\n  often. <example>open\n---\n',
    expected: { description: 'Reads diffs. Use it often.' },
  },
  {
    what: 'fields that have no effect',
    text: '---\ndescription: x\nhooks: {}\npermission_mode: never_confirm\nmcp_config: {a: 1}\nskills: [x]\n---\n',
    expected: { name: 'reviewer' },
    problems: [
      'its skills has no effect',
      'its permission_mode has no effect',
      'its mcp_config has no effect',
      'its hooks has no effect',
    ],
  },
  { what: 'no front matter', text: 'Be kind.', expected: 'no front matter' },
  { what: 'broken front matter', text: '---\n: [\n---\n', expected: 'not YAML' },
  { what: 'no description', text: '---\nname: x\n---\n', expected: 'description' },
  {
    what: 'a number of steps that is none',
    text: '---\ndescription: x\nmax_iteration_per_run: -1\n---\n',
    expected: 'max_iteration_per_run',
  },
  { what: 'a name that is a path', text: '---\nname: ../x\ndescription: x\n---\n', expected: 'its name' },
  { what: 'a name with a line in it', text: '---\nname: "a\\n* b: c"\ndescription: x\n---\n', expected: 'its name' },
  {
    what: 'the name of the one that is always there',
    text: '---\nname: general-purpose\ndescription: x\n---\n',
    expected: 'taken',
  },
]
