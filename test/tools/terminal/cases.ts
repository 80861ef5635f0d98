import type { Step } from './steps.ts'

export interface Case {
  name: string
  steps: Step[]
}

const LONG_TEXT = Array.from({ length: 3000 }, (_, index) => `line ${index} 'quoted' "twice" $HOME \\n !x`).join('\n')

/** What every shell must do: bash, dash and busybox ash. */
export const PORTABLE: Case[] = [
  {
    name: 'shows the output and the exit code',
    steps: [{ run: 'echo hello', output: 'hello', exit: 0, suffix: '[The command completed with exit code 0.]' }],
  },
  {
    name: 'shows errors and a failing exit code',
    steps: [{ run: 'ls /nowhere', has: '/nowhere', suffix: 'completed with exit code' }],
  },
  { name: 'knows commands that do not exist', steps: [{ run: 'no-such-command-here', exit: 127, has: 'not found' }] },
  {
    name: 'starts in the working directory',
    steps: [{ run: 'pwd', output: '/workspace/project', workingDir: '/workspace/project' }],
  },
  {
    name: 'keeps the directory',
    steps: [
      { run: 'cd /tmp', exit: 0, workingDir: '/tmp' },
      { run: 'pwd', output: '/tmp' },
    ],
  },
  {
    name: 'keeps variables and functions',
    steps: [{ run: 'A="x  y"; export A; f() { echo "f:$1"; }' }, { run: 'f "$A"', output: 'f:x  y' }],
  },
  {
    name: 'hands the exit code to the next command',
    steps: [
      { run: '(exit 5)', exit: 5 },
      { run: 'echo $?', output: '5' },
    ],
  },
  {
    name: 'runs several lines as one command',
    steps: [{ run: 'echo one\necho two\nfor i in 1 2; do\n  echo "n$i"\ndone', output: 'one\ntwo\nn1\nn2' }],
  },
  { name: 'runs line continuations', steps: [{ run: 'echo a \\\n  b', output: 'a b' }] },
  {
    name: 'runs here-documents with quotes and tabs',
    steps: [{ run: "cat <<'EOF'\n$HOME `x` 'q' \"w\"\n\ttab\nEOF", output: '$HOME `x` \'q\' "w"\n\ttab' }],
  },
  { name: 'leaves an exclamation mark alone', steps: [{ run: 'echo "hi!" !! !x', output: 'hi! !! !x' }] },
  {
    name: 'takes a trailing comment',
    steps: [
      { run: 'echo a # comment', output: 'a' },
      { run: '# only a comment', output: '', exit: 0 },
    ],
  },
  {
    name: 'answers an unclosed quote with a syntax error',
    steps: [
      { run: "echo 'open", exit: 2 },
      { run: 'echo next', output: 'next', exit: 0 },
    ],
  },
  {
    name: 'answers an unclosed brace with a syntax error',
    steps: [
      { run: 'if true; then echo x', exit: 2 },
      { run: '{ echo next; }', output: 'next' },
    ],
  },
  {
    name: 'answers a stray bracket with a syntax error',
    steps: [
      { run: 'echo )', exit: 2 },
      { run: 'echo next', output: 'next' },
    ],
  },
  { name: 'carries characters beyond ASCII', steps: [{ run: 'echo "äöü €漢字 🎉"', output: 'äöü €漢字 🎉' }] },
  {
    name: 'carries a percent sign, backslashes and escapes as they are',
    steps: [{ run: "printf '%s\\n' '100% \\0041 \\x41 \\\\'", output: '100% \\0041 \\x41 \\\\' }],
  },
  {
    name: 'carries a command of many thousand characters',
    steps: [{ run: `cat > /tmp/long.txt <<'EOF'\n${LONG_TEXT}\nEOF\nwc -l < /tmp/long.txt`, has: '3000', exit: 0 }],
  },
  {
    name: 'shows the final state of a progress bar',
    steps: [{ run: "printf '10%%\\r50%%\\r100%%\\ndone\\n'", output: '100%\ndone' }],
  },
  { name: 'leaves colours out', steps: [{ run: "printf '\\033[1;31mred\\033[0m plain\\n'", output: 'red plain' }] },
  {
    name: 'carries out cursor movement',
    steps: [{ run: "printf 'one\\ntwo\\n\\033[2Aone!\\n\\n'", output: 'one!\ntwo' }],
  },
  { name: 'keeps a long line whole', steps: [{ run: "printf 'x%.0s' $(seq 1 3000); echo", output: 'x'.repeat(3000) }] },
  { name: 'shows nothing for no output', steps: [{ run: 'true', output: '', exit: 0 }] },
  {
    name: 'survives binary output',
    steps: [
      { run: 'head -c 2000 /bin/sh 2>/dev/null || cat /bin/sh | dd bs=2000 count=1 2>/dev/null; true', exit: 0 },
      { run: 'echo fine', output: 'fine' },
    ],
  },
  {
    name: 'survives a change of the character set',
    steps: [{ run: "printf '\\016'" }, { run: 'echo plain', output: 'plain' }],
  },
  {
    name: 'does not take an answer of the terminal for a command',
    steps: [{ run: "printf '\\033[6n\\033[c'" }, { run: 'echo fine', output: 'fine', exit: 0 }],
  },
  {
    // The loop reads nothing, so that the answers are still there when the shell reads its next line.
    name: 'does not take an answer that nobody has read for the beginning of a command',
    steps: [
      {
        run: "printf '\\033[6n\\033[c\\033[6n\\033[c'; i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done",
        timeout: 20,
        exit: 0,
      },
      { run: 'echo fine', output: 'fine', exit: 0 },
    ],
  },
  {
    name: 'does not take keys that nobody has read for a command',
    steps: [
      { run: 'echo again >> /tmp/runs', exit: 0 },
      { run: 'sleep 5', timeout: 0.2, exit: -1 },
      { type: 'UP', timeout: 0.1 },
      { type: 'HOME', timeout: 0.1 },
      { type: 'ESC', timeout: 20, exit: 0 },
      { run: 'echo fine', output: 'fine', exit: 0 },
      { run: 'cat /tmp/runs; rm /tmp/runs', output: 'again' },
    ],
  },
  {
    name: 'is not deceived by a forged mark',
    steps: [{ run: "printf '\\033]7770;0000000000000000;E;0;;/\\007'; sleep 0.2; (exit 4)", exit: 4 }],
  },
  {
    name: 'is not deceived by its own prompt in the output',
    steps: [{ run: 'printf "%s\\n" "$PS1" | cat; echo real; (exit 6)', exit: 6, has: 'real' }],
  },
  {
    name: 'does not wait for background jobs',
    steps: [
      { run: 'sleep 60 &', exit: 0 },
      { run: 'echo on', has: 'on' },
    ],
  },
  {
    name: 'gives input to a program that reads',
    steps: [
      {
        run: 'printf "name? "; read -r x; echo "got $x"',
        output: 'name?',
        exit: -1,
        suffix: 'has no new output after',
      },
      { type: 'Ada', has: 'got Ada', exit: 0, prefix: '[Below is the output of the previous command.]' },
    ],
  },
  {
    name: 'does not show a password',
    steps: [
      { run: 'stty -echo; read -r x; stty echo; echo "length ${#x}"', exit: -1 },
      { type: 'hunter22', output: 'length 8', exit: 0 },
    ],
  },
  {
    name: 'interrupts with C-c',
    steps: [
      { run: 'sleep 60', exit: -1 },
      { type: 'C-c', exit: 130, suffix: 'exit code 130. CTRL+C was sent.]' },
      { run: 'echo free', output: 'free' },
    ],
  },
  {
    name: 'takes C-c for a key also when it is not said',
    steps: [
      { run: 'sleep 60', exit: -1 },
      { run: 'C-c', exit: 130 },
    ],
  },
  {
    name: 'ends input with C-d',
    steps: [
      { run: 'cat', exit: -1 },
      { type: 'a line', has: 'a line' },
      { type: 'C-d', exit: 0 },
    ],
  },
  {
    name: 'shows what is new for an empty command',
    steps: [
      { run: 'echo first; sleep 2.2; echo second', output: 'first', exit: -1 },
      { poll: true, output: 'second', exit: 0 },
    ],
  },
  {
    name: 'refuses a second command while one runs',
    steps: [
      { run: 'sleep 60', exit: -1 },
      {
        run: 'echo x',
        exit: -1,
        isError: true,
        suffix: '[Your command "echo x" is NOT executed. The previous command is still running - ',
      },
      { type: 'C-c' },
    ],
  },
  {
    name: 'ends the wait at the time-out, and the command goes on',
    steps: [
      {
        run: 'echo a; sleep 5; echo b',
        timeout: 1.5,
        output: 'a',
        exit: -1,
        suffix: '[The command timed out after 1.5 seconds. ',
      },
      { poll: true, timeout: 20, output: 'b', exit: 0 },
    ],
  },
  {
    name: 'does not end the wait while a time-out is given',
    steps: [{ run: 'sleep 2; echo late', timeout: 10, output: 'late', exit: 0 }],
  },
  {
    name: 'tells the end of a command that ended while nobody looked',
    steps: [
      { run: 'echo a; sleep 5; echo b; (exit 3)', timeout: 1.5, exit: -1 },
      { poll: true, timeout: 20, output: 'b', exit: 3, prefix: '[Below is the output of the previous command.]' },
    ],
  },
  {
    name: 'has nothing to show when nothing runs',
    steps: [{ poll: true, output: 'No previous running command to retrieve logs from.', exit: -1, isError: true }],
  },
  {
    name: 'has nothing to type into when nothing runs',
    steps: [{ type: 'y', output: 'No previous running command to interact with.', exit: -1, isError: true }],
  },
  {
    name: 'starts a new shell when the shell was ended',
    steps: [
      { run: 'X=1; exit 3', exit: 3, suffix: 'The shell itself ended with exit code 3' },
      { run: 'echo "x=$X"', output: 'x=', exit: 0 },
    ],
  },
  {
    name: 'resets to a new shell',
    steps: [
      { run: 'cd /tmp; X=1; sleep 60', exit: -1 },
      { reset: true, has: 'Terminal session has been reset.', exit: 0 },
      { run: 'echo "x=$X"; pwd', output: 'x=\n/workspace/project' },
    ],
  },
  {
    name: 'resets and runs',
    steps: [
      { run: 'X=1' },
      { reset: true, run: 'echo "x=$X"', output: 'x=', exit: 0, prefix: 'Terminal session has been reset.' },
    ],
  },
  { name: 'refuses a reset with input', steps: [{ reset: true, type: 'y', isError: true, has: 'reset' }] },
  {
    name: 'refuses a list in place of a command',
    steps: [
      { run: '["ls", "-la"]', isError: true, has: 'one string' },
      { run: "{'command': 'ls'}", isError: true },
    ],
  },
  {
    name: 'runs a test in brackets',
    steps: [
      { run: '[ "a" = "a" ]', exit: 0 },
      { run: '[ "a" = "b" ]', exit: 1 },
    ],
  },
  {
    name: 'goes on when a command has redirected everything',
    steps: [
      { run: 'exec 3>&1 4>&2 >/tmp/all.log 2>&1; echo hidden', output: '', exit: 0 },
      { run: 'exec 1>&3 2>&4; cat /tmp/all.log', has: 'hidden' },
    ],
  },
  {
    name: 'goes on when the prompt was changed',
    steps: [
      { run: 'PS1="$ "', exit: 0 },
      { run: 'echo a', output: 'a' },
    ],
  },
  {
    name: 'goes on after unset variables became errors',
    steps: [{ run: 'set -u' }, { run: 'echo ok', output: 'ok', exit: 0 }],
  },
  {
    name: 'goes on after a subshell with set -e and exit',
    steps: [
      { run: '( set -e; false; echo never )', output: '', exit: 1 },
      { run: '( exit 7 )', exit: 7 },
      { run: 'sh -c "exit 8"', exit: 8 },
      { run: 'echo on', output: 'on' },
    ],
  },
  {
    name: 'tells when the shell was killed, and starts another',
    steps: [
      { run: 'kill -9 $$', suffix: 'The next command starts a new shell' },
      { run: 'echo on; pwd', output: 'on\n/workspace/project', exit: 0 },
    ],
  },
  {
    name: 'tells when another program took the place of the shell, and starts another',
    steps: [
      { run: 'exec sh -c "echo last; exit 5"', output: 'last', exit: 5, suffix: 'The shell itself ended' },
      { run: 'echo on', output: 'on', exit: 0 },
    ],
  },
  {
    name: 'runs the next command when the one before has ended while nobody looked',
    steps: [
      { run: 'echo a; sleep 5; echo b', timeout: 1.5, output: 'a', exit: -1 },
      { poll: true, timeout: 20, output: 'b', exit: 0 },
      { run: 'echo c', output: 'c', exit: 0 },
    ],
  },
  {
    name: 'is patient while something is shown',
    steps: [{ run: 'for i in 1 2 3 4 5; do echo $i; sleep 0.4; done', output: '1\n2\n3\n4\n5', exit: 0 }],
  },
  {
    name: 'ends the wait at once with a time-out of nothing',
    steps: [
      // A builtin: a key that comes between the fork of a program and its place in the foreground would be the shell's.
      { run: 'read -r a', timeout: 0, exit: -1, suffix: 'timed out after 0 seconds' },
      { type: 'C-c', exit: 130 },
    ],
  },
  {
    name: 'types several lines into a program',
    steps: [
      { run: 'read -r a; read -r b; echo "$b-$a"', exit: -1 },
      { type: 'one\ntwo', has: 'two-one', exit: 0 },
    ],
  },
  {
    name: 'types nothing but Enter',
    steps: [
      { run: 'read -r a; echo "got [$a]"', exit: -1 },
      { type: '', has: 'got []', exit: 0 },
    ],
  },
  {
    name: 'types what looks like a command, and a command again afterwards',
    steps: [
      { run: 'read -r a; echo "got $a"', exit: -1 },
      { type: 'rm -rf "$HOME" $(id)', has: 'got rm -rf "$HOME" $(id)', exit: 0 },
      { run: 'echo on', output: 'on' },
    ],
  },
  {
    name: 'sends keys as the bytes that a keyboard sends',
    steps: [
      {
        run: 'stty raw -echo; x=$(dd bs=1 count=3 2>/dev/null || head -c 3); stty sane; [ "$x" = "$(printf \'\\033[A\')" ] && echo up',
        exit: -1,
      },
      { type: 'UP', has: 'up' },
    ],
  },
  {
    name: 'stops by C-\\ a program that ignores C-c',
    steps: [
      { run: `sh -c "trap '' INT; exec sleep 60"`, exit: -1 },
      { type: 'C-c', exit: -1 },
      { type: 'C-\\', exit: 131 },
      { run: 'echo on', output: 'on' },
    ],
  },
  {
    name: 'resets a shell whose program takes no signal',
    steps: [
      { run: "trap '' INT QUIT TERM; while :; do sleep 0.2; done", exit: -1 },
      { type: 'C-c', exit: -1 },
      { reset: true, run: 'echo new', output: 'new', exit: 0 },
    ],
  },
  {
    name: 'refuses an object in place of a command, and runs nothing',
    steps: [
      { run: '{"command": "touch /tmp/ran"}', isError: true, has: 'one string' },
      { run: "['touch', '/tmp/ran']", isError: true },
      { run: '[ -e /tmp/ran ]', exit: 1 },
    ],
  },
  { name: 'runs a group in braces', steps: [{ run: '{ echo a; echo b; }', output: 'a\nb' }] },
  {
    name: 'runs a here-document in a loop, and one whose text looks like its end',
    steps: [{ run: 'for i in 1 2; do cat <<EOF\n$i: $((i * 2))\n EOF\nEOF\ndone', output: '1: 2\n EOF\n2: 4\n EOF' }],
  },
  {
    name: 'writes a file by a here-document with an exclamation mark and a backslash',
    steps: [{ run: "cat > /tmp/s.txt <<'E'\na\\b! $x\nE\ncat /tmp/s.txt", output: 'a\\b! $x', exit: 0 }],
  },
  { name: 'takes Windows line ends in a command', steps: [{ run: 'echo a\r\necho b', output: 'a\nb' }] },
  { name: 'leaves NUL and bells out of the output', steps: [{ run: "printf 'a\\000b\\007c\\n'", output: 'abc' }] },
  {
    name: 'shows what is there after the screen was cleared',
    steps: [{ run: "printf 'old\\n\\033[2J\\033[Hnew\\n'; echo next", has: 'new\nnext', exit: 0 }],
  },
  {
    name: 'shows the screen behind a full-screen program',
    steps: [
      { run: "echo before; printf '\\033[?1049hfull\\033[?1049l'; echo after", output: 'before\nafter', exit: 0 },
    ],
  },
  {
    name: 'takes no output for a key of its own',
    steps: [{ run: 'echo C-c; echo UP', output: 'C-c\nUP', exit: 0 }],
  },
  {
    name: 'says which command does not exist, and that nothing else stopped',
    steps: [{ run: 'no-such-thing; echo on', has: ['not found', 'on'], exit: 0 }],
  },
]
