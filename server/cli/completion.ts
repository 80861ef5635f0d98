import type { Command, Option } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** What can follow a sequence of commands: its own commands and options, in words for the shells that show them. */
interface Node {
  /** The commands before, as `sandboxes exec`; empty at the root. */
  path: string
  words: { name: string; description: string }[]
}

/** A script that completes commands, options and their choices; made from the tree of commands, so that it is complete. */
export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  const nodes = nodesOf(program, [])
  const choices = choicesOf(program)
  return { bash, zsh, fish }[shell](nodes, choices)
}

function nodesOf(command: Command, path: readonly string[]): Node[] {
  const commands = command.commands.map(child => ({ name: child.name(), description: child.description() }))
  const options = command.options.map(option => ({
    name: option.long ?? option.flags,
    description: option.description,
  }))
  const help = { name: '--help', description: 'show help' }
  return [
    { path: path.join(' '), words: [...commands, ...options, help] },
    ...command.commands.flatMap(child => nodesOf(child, [...path, child.name()])),
  ]
}

function choicesOf(command: Command): Map<string, readonly string[]> {
  const own = command.options.flatMap((option: Option) =>
    option.long && option.argChoices ? [[option.long, option.argChoices] as const] : [],
  )
  return new Map([...own, ...command.commands.flatMap(child => [...choicesOf(child)])])
}

/** The commands among the words before the cursor, then what may follow them. */
function bash(nodes: readonly Node[], choices: ReadonlyMap<string, readonly string[]>): string {
  return `_atelier() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} path= index
  case $previous in
${[...choices].map(([option, values]) => `    ${option}) COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word")); return ;;`).join('\n')}
    --folder|--data-dir|--cwd) COMPREPLY=($(compgen -d -- "$word")); return ;;
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$path\${path:+ }\${COMP_WORDS[index]}" in
      ${pathsOf(nodes).join('|')}) path="$path\${path:+ }\${COMP_WORDS[index]}" ;;
    esac
  done
  case $path in
${nodes.map(({ path, words }) => `    '${path}') COMPREPLY=($(compgen -W '${words.map(({ name }) => name).join(' ')}' -- "$word")) ;;`).join('\n')}
  esac
}
complete -F _atelier atelier`
}

function zsh(nodes: readonly Node[], choices: ReadonlyMap<string, readonly string[]>): string {
  return `#compdef atelier
_atelier() {
  local place= word
  local -a reply
  case $words[CURRENT-1] in
${[...choices].map(([option, values]) => `    ${option}) compadd ${values.join(' ')}; return ;;`).join('\n')}
    --folder|--data-dir|--cwd) _files -/; return ;;
  esac
  for word in $words[2,CURRENT-1]; do
    case "$place\${place:+ }$word" in
      ${pathsOf(nodes).join('|')}) place="$place\${place:+ }$word" ;;
    esac
  done
  case $place in
${nodes.map(({ path, words }) => `    '${path}') reply=(${words.map(({ name, description }) => quoted(`${name}:${description}`)).join(' ')}) ;;`).join('\n')}
  esac
  _describe command reply
}
if [ "$funcstack[1]" = _atelier ]; then _atelier "$@"; else compdef _atelier atelier; fi`
}

function fish(nodes: readonly Node[], choices: ReadonlyMap<string, readonly string[]>): string {
  const lines = nodes.flatMap(({ path, words }) =>
    words.map(({ name, description }) => {
      const word = name.startsWith('--') ? `-l ${name.slice(2)}` : `-a ${name}`
      const values = choices.get(name)
      const place = `-n '__atelier_at "${path}"'`
      return `complete -c atelier -f ${place} ${word}${values ? ` -r -a '${values.join(' ')}'` : ''} -d ${quoted(description)}`
    }),
  )
  return `function __atelier_at
  set -l place ''
  for word in (commandline -opc)[2..]
    set -l next (string trim -- "$place $word")
    contains -- "$next" ${pathsOf(nodes).join(' ')}; and set place "$next"
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}`
}

function pathsOf(nodes: readonly Node[]): string[] {
  return nodes.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`)
}

/** For all three shells alike: fish knows another way to write a quote, so that there is none. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", '')}'`
}
