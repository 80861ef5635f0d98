type Call = [name: string, parameters: Record<string, unknown>]

export interface PromptCase {
  what: string
  text: string
  thought: string
  calls: Call[]
  /** The answer was cut at the output limit. */
  cut?: true
}

const LS: Call = ['terminal', { command: 'ls' }]

/** Answers as models without tool calling write them. */
export const PROMPT_CASES: readonly PromptCase[] = [
  { what: 'no call', text: 'All is done.', thought: 'All is done.', calls: [] },
  {
    what: 'a call as it was asked for',
    text: 'I look.\n<function=terminal>\n<parameter=command>ls</parameter>\n</function>',
    thought: 'I look.',
    calls: [LS],
  },
  {
    what: 'a call that the stop word cut',
    text: 'I look.\n<function=terminal>\n<parameter=command>ls</parameter>\n',
    thought: 'I look.',
    calls: [LS],
  },
  { what: 'a stop word that is partly there', text: '<function=terminal>\n<parameter=command>ls</parameter>\n</function', thought: '', calls: [LS] },
  { what: 'no close tag of the last value', text: '<function=terminal>\n<parameter=command>ls\n', thought: '', calls: [LS] },
  { what: 'no close tag of the value, but of the call', text: '<function=terminal>\n<parameter=command>ls\n</function>', thought: '', calls: [LS] },
  {
    what: 'no close tag between two values',
    text: '<function=terminal>\n<parameter=command>ls\n<parameter=timeout>5</parameter>\n</function>',
    thought: '',
    calls: [['terminal', { command: 'ls', timeout: 5 }]],
  },
  {
    what: 'two calls',
    text: 'Both.\n<function=terminal>\n<parameter=command>ls</parameter>\n</function>\n\n<function=terminal>\n<parameter=command>pwd</parameter>\n</function>',
    thought: 'Both.',
    calls: [LS, ['terminal', { command: 'pwd' }]],
  },
  {
    what: 'two calls of which the first is not closed',
    text: '<function=terminal>\n<parameter=command>ls</parameter>\n<function=terminal>\n<parameter=command>pwd</parameter>\n</function>',
    thought: '',
    calls: [LS, ['terminal', { command: 'pwd' }]],
  },
  {
    what: 'a value of several lines, with its indentation',
    text: '<function=terminal>\n<parameter=command>\nif true; then\n  echo "a < b"\nfi\n</parameter>\n</function>',
    thought: '',
    calls: [['terminal', { command: 'if true; then\n  echo "a < b"\nfi' }]],
  },
  {
    what: 'a value that holds the form itself',
    text: '<function=terminal>\n<parameter=command>echo "<parameter=x>y</parameter> done" > a</parameter>\n</function>',
    thought: '',
    calls: [['terminal', { command: 'echo "<parameter=x>y</parameter> done" > a' }]],
  },
  {
    what: 'numbers, lists and objects as such, text as it is',
    text: '<function=terminal>\n<parameter=command>5</parameter>\n<parameter=timeout>2.5</parameter>\n<parameter=paths>["a", "b"]</parameter>\n</function>',
    thought: '',
    calls: [['terminal', { command: '5', timeout: 2.5, paths: ['a', 'b'] }]],
  },
  {
    what: 'a number that is none: for the loop to refuse',
    text: '<function=terminal>\n<parameter=command>ls</parameter>\n<parameter=timeout>soon</parameter>\n</function>',
    thought: '',
    calls: [['terminal', { command: 'ls', timeout: 'soon' }]],
  },
  { what: 'an unknown tool: for the loop to refuse', text: '<function=fly>\n<parameter=to>moon</parameter>\n</function>', thought: '', calls: [['fly', { to: 'moon' }]] },
  { what: 'a call without parameters', text: 'Done. <function=terminal></function>', thought: 'Done.', calls: [['terminal', {}]] },
  { what: 'JSON between the tags', text: '<function=terminal>{"command": "ls"}</function>', thought: '', calls: [LS] },
  { what: 'the other form, in JSON', text: 'I look.\n<tool_call>\n{"name": "terminal", "arguments": {"command": "ls"}}\n</tool_call>', thought: 'I look.', calls: [LS] },
  { what: 'the other form, not closed', text: '<tool_call>{"name": "terminal", "arguments": {"command": "ls"}}', thought: '', calls: [LS] },
  { what: 'the other form, unreadable', text: 'Hm. <tool_call>{"name": </tool_call>', thought: 'Hm.', calls: [] },
  {
    what: 'a call in a code block',
    text: 'I look.\n```xml\n<function=terminal>\n<parameter=command>ls</parameter>\n</function>\n```',
    thought: 'I look.',
    calls: [LS],
  },
  {
    what: 'an invented result, and calls that build on it',
    text: '<function=terminal>\n<parameter=command>ls</parameter>\n</function>\nEXECUTION RESULT of [terminal]:\nsecret.txt\n<function=terminal>\n<parameter=command>rm secret.txt</parameter>\n</function>',
    thought: '',
    calls: [LS],
  },
  {
    what: 'a value cut at the output limit is never carried out',
    text: 'I tidy up.\n<function=terminal>\n<parameter=command>rm -rf /tmp/a',
    thought: 'I tidy up.',
    calls: [],
    cut: true,
  },
  {
    what: 'nor is a call of which something may be missing',
    text: '<function=terminal>\n<parameter=command>rm -rf "$DIR"</parameter>\n',
    thought: '',
    calls: [],
    cut: true,
  },
  {
    what: 'whole calls before the cut are',
    text: '<function=terminal>\n<parameter=command>ls</parameter>\n</function>\n<function=terminal>\n<parameter=command>rm -r',
    thought: '',
    calls: [LS],
    cut: true,
  },
  { what: 'a name cut at the output limit', text: 'Now <function=termi', thought: 'Now <function=termi', calls: [], cut: true },
  { what: 'Windows line ends', text: '<function=terminal>\r\n<parameter=command>\r\nls\r\n</parameter>\r\n</function>', thought: '', calls: [LS] },
  { what: 'a smaller-than sign in prose', text: 'Is 1 < 2? <b>Yes</b>.', thought: 'Is 1 < 2? <b>Yes</b>.', calls: [] },
]
