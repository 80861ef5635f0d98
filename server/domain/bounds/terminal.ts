import { type Bound, KIB, MIB } from './bound.ts'

export const TERMINAL_BOUNDS = {
  terminalControlString: {
    limit: 1024 * 1024,
    unit: 'characters',
    of: 'control string in the output of a command (a title, a link, a picture)',
    beyond: 'It ends there, and what follows is shown as text.',
  },
  terminalCombiningCharacters: {
    limit: 32,
    unit: 'items',
    of: 'combining characters after one character in output that is rendered',
    beyond: 'The rest of them is left out.',
  },
  terminalReplies: {
    limit: 1024,
    unit: 'characters',
    of: 'answers of the terminal to questions in 128 KiB of output',
    beyond: 'Further questions get no answer.',
  },
  terminalWaitingOutput: {
    limit: 2 * MIB,
    unit: 'characters',
    of: 'output of a command that waits to be rendered',
    beyond: 'Its middle is left out, and the output says so.',
  },
  terminalRendering: {
    limit: 5_000,
    unit: 'milliseconds',
    of: 'time to render the output of one command, beyond 2 ms for each 1,000 characters',
    beyond: 'The renderer is ended; the rest of the output is its plain text, and the output says so.',
  },
  terminalRendererMemory: {
    limit: 64 * MIB,
    unit: 'bytes',
    of: 'memory of the renderer of one conversation',
    beyond: 'The same.',
  },
  terminalOutputStart: {
    limit: 8_000_000,
    unit: 'characters',
    of: 'beginning of the output of one command',
    beyond: 'Its middle is left out, and the output says so.',
  },
  terminalOutputEnd: {
    limit: 1_000_000,
    unit: 'characters',
    of: 'end of the output of one command',
    beyond: 'Its middle is left out, and the output says so.',
  },
  terminals: {
    limit: 16,
    unit: 'items',
    of: 'terminals of people in one sandbox, those whose shell has ended among them',
    beyond: 'A further one is refused with 429.',
  },
  allTerminals: {
    limit: 64,
    unit: 'items',
    of: 'terminals of people in all sandboxes',
    beyond: 'A further one is refused with 429.',
  },
  terminalScreen: {
    limit: MIB,
    unit: 'bytes',
    of: 'newest output kept of a terminal, and of the shell of an agent, for those who come to it later',
    beyond: 'The oldest lines are forgotten.',
  },
  terminalUnread: {
    limit: 512 * KIB,
    unit: 'bytes',
    of: 'output of a terminal on its way to one client',
    beyond:
      'The client gets no more until it has shown some; the program waits for the fastest client, for 5 s at most.',
  },
  terminalOutputRate: {
    limit: 8 * MIB,
    unit: 'bytes',
    of: 'output of a terminal in a second, over time',
    beyond: 'The program waits.',
  },
  terminalInput: {
    limit: MIB,
    unit: 'bytes',
    of: 'input of a terminal that its program has not read yet',
    beyond: 'What is typed is refused.',
  },
} as const satisfies Record<string, Bound>
