import type { Case } from './cases.ts'

/** What is asked of the default image, which has bash, python3 and git. */
export const WITH_BASH: Case[] = [
  {
    name: 'keeps arrays and declared variables',
    steps: [{ run: 'declare -A m=([a]=1 [b]=2)' }, { run: 'echo "${m[a]}${m[b]}"', output: '12' }],
  },
  { name: 'runs here-strings', steps: [{ run: 'cat <<< "a b"', output: 'a b' }] },
  {
    name: 'uses no pager for git',
    steps: [
      {
        run: 'cd $(mktemp -d) && git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first && git log --oneline | cat && git log --format=%s',
        timeout: 20,
        has: 'first',
        exit: 0,
      },
    ],
  },
  {
    name: 'speaks with the Python prompt',
    steps: [
      { run: 'python3', timeout: 5, has: '>>>', exit: -1 },
      { type: 'print(6 * 7)', has: '42' },
      { type: 'C-d', timeout: 20, exit: 0 },
    ],
  },
  {
    name: 'names the Python interpreter',
    steps: [{ run: 'true' }, { run: 'command -v python3', output: '/usr/bin/python3' }],
  },
  {
    name: 'shows a full-screen program, and the shell after it',
    steps: [
      { run: 'seq 1 200 > /tmp/f; less /tmp/f', has: '10', exit: -1 },
      { type: 'q', exit: 0 },
      { run: 'echo back', output: 'back' },
    ],
  },
  {
    name: 'suspends with C-z',
    steps: [
      { run: 'sleep 60', exit: -1 },
      { type: 'C-z', has: 'Stopped' },
      { run: 'kill %1; echo ok', has: 'ok' },
    ],
  },
  {
    name: 'tells how a background job ended',
    steps: [
      { run: 'sleep 60 &', has: '[1]' },
      { run: 'kill %1; wait %1; echo "code $?"', has: 'code 143' },
    ],
  },
  { name: 'keeps tabs, which edits need', steps: [{ run: "printf 'all:\\n\\tgcc\\n'", output: 'all:\n\tgcc' }] },
  {
    name: 'keeps the end of the shell by set -e plain',
    steps: [
      { run: 'set -e' },
      { run: 'false', exit: 1, suffix: 'The shell itself ended' },
      { run: 'echo on', output: 'on' },
    ],
  },
  { name: 'lets a traced command be read', steps: [{ run: 'set -x' }, { run: 'echo a', has: ['+ echo a', '\na'] }] },
  {
    name: 'turns no pages of a long history, a long difference or a short file',
    steps: [
      {
        run: 'cd $(mktemp -d) && git init -q . && git config user.name a && git config user.email a@b && git config core.pager less && seq 1 300 > f && git add f && for i in $(seq 1 60); do git commit -q --allow-empty -m "commit $i"; done',
        timeout: 20,
        exit: 0,
      },
      { run: 'git log', timeout: 10, has: ['    commit 60', '    commit 1'], exit: 0 },
      { run: 'git rm -q --cached f; git diff HEAD', timeout: 10, has: '-300', exit: 0 },
      { run: 'echo short > g; less g', timeout: 10, has: 'short', exit: 0 },
      { run: 'echo "$PAGER $GIT_PAGER $MANPAGER"', output: 'cat cat cat' },
    ],
  },
]
