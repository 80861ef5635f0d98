import { type Bound, MIB } from './bound.ts'

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
} as const satisfies Record<string, Bound>
