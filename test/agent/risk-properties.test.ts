import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rateAction } from '../../server/agent/risk.ts'
import { RANK } from '../../server/domain/security-risk.ts'
import { DANGER_CASES } from './data/danger-cases.ts'
import { DISGUISE_CASES } from './data/disguise-cases.ts'
import { HARMLESS_CASES } from './data/harmless-cases.ts'

const RISK_CASES = [...HARMLESS_CASES, ...DANGER_CASES, ...DISGUISE_CASES]

function rate(command: string) {
  return rateAction({ kind: 'TerminalAction', command, is_input: false, reset: false }, { workingDir: '/workspace' })
}

const SHELL_PIECES = [
  ...RISK_CASES.flatMap(({ commands }) => commands),
  ...[
    '$(',
    ')',
    '`',
    '"',
    "'",
    '\\',
    '{',
    '}',
    '((',
    '))',
    '[[',
    ']]',
    '<<E\n',
    '\nE\n',
    '|',
    '&&',
    ';',
    '&',
    '<(',
    '>',
  ],
  ...['${x:-', '${x//', '$@', 'if', 'then', 'fi', 'for x in', 'do', 'done', 'case', 'esac', 'f() {', 'eval', 'sh -c'],
  ...['\uE000', '\u202E', '\0', '😀', '\uD800'],
]

describe('whatever the text', () => {
  test('a rating comes, and reasons with it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...SHELL_PIECES), { maxLength: 12 }),
        fc.constantFrom('', ' '),
        (pieces, by) => {
          const { risk, reasons } = rate(pieces.join(by))
          expect(reasons.length > 0).toBe(risk !== 'LOW')
        },
      ),
      { numRuns: 1500 },
    )
  })

  test('any characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => void rate(text)),
      { numRuns: 1500 },
    )
  })
})

describe('what was dangerous stays so', () => {
  const SIMPLE = [
    'rm -rf /',
    'rm -rf /etc',
    'git push --force origin main',
    'cat /etc/shadow',
    'chmod -R 777 /',
    'scp a b:c',
    'crontab x',
    'docker run x',
  ]
  /** The same word for the shell, written in another way. */
  const QUOTED: ((word: string) => string)[] = [
    word => word,
    word => `'${word}'`,
    word => `"${word}"`,
    word => [...word].map(char => `\\${char}`).join(''),
    word => `${word.slice(0, 1)}''${word.slice(1)}`,
    word => `${word.slice(0, 1)}"${word.slice(1)}"`,
    word => `$'${[...word].map(char => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`,
    word => `$'${[...word].map(char => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}'`,
    word => `$(printf %s '${word}')`,
    word => `\`echo ${word}\``,
    word => `\${unset_:-${word}}`,
    word => `\\\n${word}`,
  ]

  test('however its words are written', () => {
    const anyQuoting = fc.array(fc.constantFrom(...QUOTED), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(fc.constantFrom(...SIMPLE), anyQuoting, (command, quotings) => {
        const written = command.split(' ').map((word, at) => quotings[at]?.(word) ?? word)
        expect(rate(written.join(' ')).risk, written.join(' ')).toBe('HIGH')
      }),
      { numRuns: 2000 },
    )
  })

  /** Commands around a command that still run it. */
  const AROUND: ((command: string) => string)[] = [
    command => `ls; ${command}`,
    command => `true && ${command} && false`,
    command => `(${command})`,
    command => `{ ${command}; }`,
    command => `if true; then ${command}; fi`,
    command => `for i in 1 2; do ${command}; done`,
    command => `while true; do ${command}; done`,
    command => `f() { ${command}; }`,
    command => `echo $(${command})`,
    command => `cat <(${command})`,
    command => `echo a | ${command}`,
    command => `${command} > /dev/null 2>&1 &`,
    command => `cat <<E\n$(${command}\n)\nE`,
    command => `sh -c '${command.replaceAll("'", "'\\''")}'`,
    command => `eval '${command.replaceAll("'", "'\\''")}'`,
    command => `# harmless\n${command}\n# end`,
  ]

  test('whatever stands around it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIMPLE),
        fc.array(fc.constantFrom(...AROUND), { maxLength: 3 }),
        (command, wraps) => {
          const text = wraps.reduce((inner, wrap) => wrap(inner), command)
          expect(rate(text).risk, text).toBe('HIGH')
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('more commands never lower a rating', () => {
    const any = fc.constantFrom(...RISK_CASES.flatMap(({ commands }) => commands).filter(each => !/[\n#\\]/.test(each)))
    fc.assert(
      fc.property(any, any, (first, second) => {
        fc.pre(!/^(cd|set|IFS|f\(\)|X=|Y=|alias|if true|echo "unf|exit|\{|\(|:\()/.test(first))
        const both = rate(`${first}\n${second}`).risk
        expect(RANK[both]).toBeGreaterThanOrEqual(RANK[rate(first).risk])
      }),
      { numRuns: 500 },
    )
  })
})

describe('hostile input is bounded', () => {
  const N = 1500
  test.each<[string, string]>([
    ['subshells', `${'('.repeat(N)}ls${')'.repeat(N)}`],
    ['arithmetic', `${'(('.repeat(N)}ls${'))'.repeat(N)}`],
    ['awk', `awk '${'system("'.repeat(1500)}'`],
    ['awk pipes', `awk '${'|"a'.repeat(3000)}'`],
    ['tar', `tar ${'--to-command= '.repeat(700)}`],
    [
      'make',
      `make -f - <<E
${'a:;'.repeat(3000)}
E`,
    ],
    [
      'recipes',
      `make -f - <<E
${'\t@-'.repeat(2500)}
E`,
    ],
    ['addresses', `curl ${'-d@a '.repeat(2500)}`],
    ['printf', `printf '${'%s'.repeat(2500)}' ${'a '.repeat(2500)}`],
    ['assignments', 'A=1 '.repeat(2500)],
    ['white space', `eval '${' '.repeat(10000)}'`],
    ['sed over sed', `${'sed s/a/b/ | '.repeat(700)}sh`],
    ['node code', `node -e '${'`a'.repeat(5000)}'`],
    ['spaces in code', `node -e 'open(${' '.repeat(9000)}'`],
    ['substitutions', `echo ${'$('.repeat(N)}ls${')'.repeat(N)}`],
    ['quoted substitutions', `echo ${'"$('.repeat(N)}ls${')"'.repeat(N)}`],
    ['backticks', `echo ${'`'.repeat(N)}`],
    ['defaults', `echo ${'${a:-'.repeat(N)}${'}'.repeat(N)}`],
    ['braces', `echo ${'{a,b}'.repeat(N)}`],
    ['nested braces', `echo ${'{a,'.repeat(N)}${'}'.repeat(N)}`],
    ['process substitutions', `cat ${'<('.repeat(N)}ls${')'.repeat(N)}`],
    ['eval', `${'eval '.repeat(N)}ls`],
    ['doubling variables', `X=aaaaaaaa${';X=$X$X'.repeat(N)}; $X`],
    ['doubling by eval', `X='eval "$X$X"';${'eval "$X";'.repeat(200)}`],
    ['functions that call each other', `f(){ g;g; }; g(){ h;h; }; h(){ f;f; }; ${'f;'.repeat(N)}`],
    ['loops in loops', `${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(60)} echo $i ${'; done'.repeat(60)}`],
    [
      'many variables',
      `${Array.from({ length: 40 }, (_, at) => `for v${at} in a b; do`).join(' ')} $v0$v1$v2$v3$v4$v5$v6$v7${';done'.repeat(40)}`,
    ],
    ['pipes', `ls${'|sh'.repeat(N)}`],
    ['here-documents', `cat ${'<<A '.repeat(N)}\n`],
    [
      'aliases of aliases',
      `${Array.from({ length: 200 }, (_, at) => `alias a${at}='a${at + 1};a${at + 1}'`).join('\n')}\na0`,
    ],
    ['stars', `cat /${'*'.repeat(5000)}x`],
    ['a long word', `rm ${'a'.repeat(10_000)}`],
    ['code', `python3 -c "${"os.system('x');".repeat(600)}"`],
    ['open quotes', `'"`.repeat(N)],
    ['sed', `sed '${'s/'.repeat(4000)}'`],
    ['sql', `psql -c "${'update a set '.repeat(700)}"`],
    ['commands', 'ls -la;'.repeat(1400)],
  ])('%s', (_, text) => {
    rate('ls')
    rate(text.slice(0, 500))
    const before = process.cpuUsage()
    rate(text.slice(0, 10_240))
    // What grows without bound takes minutes. The processor's time counts: the machine is shared with the other tests.
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(500)
  })

  test('what is too deep to be read is HIGH', () => {
    expect(rate(`echo ${'$('.repeat(400)}ls${')'.repeat(400)}`).risk).toBe('HIGH')
  })

  test('a long harmless script stays harmless', () => {
    const lines = Array.from({ length: 300 }, (_, at) => `echo "line ${at}" >> notes.txt`)
    expect(rate(lines.join('\n')).risk).toBe('LOW')
  })
})
