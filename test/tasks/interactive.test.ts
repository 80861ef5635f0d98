import { expect } from 'vitest'
import { it } from '../fixtures/workshop.ts'
import { expectSound, finish, inside, type Mind, must, outputsOf, run, TASK_MS, until, use } from './parts.ts'

const FOLDER = '/workspace/project'
const WIZARD = `import getpass, os, signal, sys, termios, tty

name = input('Name of the project: ')
passphrase = getpass.getpass('Passphrase: ')
languages = ['python', 'rust', 'zig']
at = 0
before = termios.tcgetattr(0)
tty.setcbreak(0)
while True:
    print('\\r\\x1b[K\\x1b[32m> ' + languages[at] + '\\x1b[0m', end='', flush=True)
    key = os.read(0, 3)
    if key in (b'\\r', b'\\n'):
        break
    at = (at + {b'\\x1b[A': -1, b'\\x1b[B': 1}.get(key, 0)) % len(languages)
termios.tcsetattr(0, termios.TCSADRAIN, before)
with open('project.txt', 'w') as file:
    file.write(f'{name} {len(passphrase)} {languages[at]}\\n')

def leave(*_):
    print('Leaving.')
    sys.exit(5)

def ask(*_):
    signal.signal(signal.SIGINT, leave)
    print('Once more to leave.', flush=True)

signal.signal(signal.SIGINT, ask)
print('\\nServing.', flush=True)
while True:
    signal.pause()
`

const type = (command: string) => run(command, { is_input: true, timeout: 0.3 })

/** Answers what is asked on the screen, moves through a menu, and leaves with C-c; then writes a file with C-d at its end. */
const mind: Mind = function* () {
  yield use('file_editor', { command: 'create', path: `${FOLDER}/wizard.py`, file_text: WIZARD })
  yield* until('Name of the project:', run('python3 wizard.py', { timeout: 0.3 }))
  yield* until('Passphrase:', type('lighthouse'))
  yield* until('> python', type('correct horse'))
  yield* until('> rust', type('DOWN'))
  yield { fault: 'disconnected', text: 'I go on to the next entry.' }
  yield* until('> zig', type('DOWN'))
  yield* until('> rust', type('UP'))
  yield* until('Serving.', type('ENTER'))
  const refused = yield run('cat project.txt')
  must(refused.result.includes('NOT executed'), refused.result)
  yield* until('Once more to leave.', type('C-c'))
  const left = yield* until('exit code 5', run('C-c', { timeout: 10 }))
  must(left.result.includes('Leaving.') && left.result.includes('CTRL+C was sent'), left.result)

  yield* until('PID USER', run('top -d 0.3', { timeout: 0.3 }))
  // Enter is typed after the key, when nobody is there any more to read it.
  yield* until('exit code 0', type('q'))
  yield run('cat > note.txt', { timeout: 0.3 })
  yield type('first line')
  yield type('second line')
  const closed = yield* until('exit code 0', type('C-d'))
  must(!closed.result.includes('Leaving.'), closed.result)
  const read = yield run('cat project.txt note.txt')
  must(read.result.includes('lighthouse 13 rust\nfirst line\nsecond line\n'), read.result)
  return finish('The project is set up.')
}

it(
  'an interactive program is answered, steered with keys, and ended',
  async ({ workshop }) => {
    const task = await workshop.begin('responses', 'Set the project up with the wizard.', mind)
    await task.finished()
    expectSound(task)

    const written = await inside(task.sandboxId, 'cat project.txt note.txt; pgrep -c python3; stty -a >/dev/null 2>&1')
    expect(written.out).toBe('lighthouse 13 rust\nfirst line\nsecond line\n0\n')
    const shown = outputsOf(task).join('\n')
    expect(shown).not.toContain('correct horse')
    expect(shown).not.toContain('\x1b')
    expect(task.seen.of('ConversationStateUpdateEvent').filter(({ key }) => key === 'llm_retry')).toHaveLength(1)
    expect(task.sights.every(({ request }) => request.wire === 'responses')).toBe(true)
  },
  TASK_MS,
)
