import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import { expandVariables } from './variables.ts'

/** A Dockerfile that was checked, in a form that every builder reads in the same way. */
export interface CheckedDockerfile {
  /** Each instruction on the line where it began, without directives and comments. */
  text: string
  /** What it is built on, as an engine names it, without its own stages. */
  baseImages: string[]
}

const INSTRUCTIONS = new Set(
  'add arg cmd copy entrypoint env expose from healthcheck label maintainer onbuild run shell stopsignal user volume workdir'.split(
    ' ',
  ),
)

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for.
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f\u2028\u2029]/

/** Without quotes, escapes and blanks, so that it is one word for every builder. */
const FLAG = /^--[a-z-]+(?:=(?:[\w./:,@+-]|\$\w+|\$\{\w+\})*)?$/

/** What separates words in a Dockerfile; other spaces are characters of a word. */
const SPACES = /[\t\v\f\r ]+/

interface Instruction {
  /** In lower case. */
  name: string
  words: string[]
  line: number
}

/**
 * Builders differ in how they read continued lines, directives and comments, and a difference would hide an instruction.
 * What is checked is therefore written anew: one line for each instruction, which leaves nothing to differ about.
 * @param labels of everything that the build makes, also of steps before one that fails
 * @throws AppError bad_request for what would reach more than a sandbox does, or is not known before the build
 */
export function checkDockerfile(
  source: string,
  { buildArgs, labels }: { buildArgs: Readonly<Record<string, string>>; labels: Readonly<Record<string, string>> },
): CheckedDockerfile {
  if (Buffer.byteLength(source) > BOUNDS.dockerfile.limit) {
    const limit = BOUNDS.dockerfile.limit / 1024
    throw new AppError(
      'bad_request',
      `The Dockerfile is larger than ${limit} KiB. Move long parts into files of its own.`,
    )
  }
  const { escapeCharacter, lines } = joinLines(source)
  const instructions = lines.flatMap(({ text, line }) => (text ? [instructionOf(text, line)] : []))
  for (const instruction of instructions) check(instruction)
  const baseImages = baseImagesOf(instructions, { buildArgs, escapeCharacter })
  const label = `LABEL ${Object.entries(labels)
    .map(([name, value]) => `${JSON.stringify(name)}=${JSON.stringify(value)}`)
    .join(' ')}`
  const isLabelled = Object.keys(labels).length > 0
  const written = lines.flatMap(({ text }) => (isLabelled && /^from\s/i.test(text) ? [text, label] : [text]))
  return { text: [`# escape=${escapeCharacter}`, ...written, ''].join('\n'), baseImages }
}

/** Those of a base image, which the build carries out. @throws AppError bad_request */
export function checkTriggers(image: string, triggers: readonly string[]): void {
  for (const trigger of triggers) {
    try {
      // The engine reads it as it reads a file: what it would join is not looked at here.
      if (CONTROL.test(trigger) || /[\\`]$/.test(trigger.trim())) throw refusal(0, 'it has several lines', 'Join them')
      check(instructionOf(trigger.trim(), 0))
    } catch (cause) {
      const what = `The base image ${image} has files fetched by the engine itself, whose network is not that of a sandbox.`
      throw new AppError('bad_request', `${what} Choose another base image.`, { cause })
    }
  }
}

/** Each instruction in one line, and an empty one for every other line. */
function joinLines(source: string): { escapeCharacter: string; lines: { text: string; line: number }[] } {
  const physical = source
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
  const escapeCharacter = escapeOf(physical)
  const lines: { text: string; line: number }[] = []
  let open: { text: string; line: number } | undefined
  for (const [index, raw] of physical.entries()) {
    const line = index + 1
    if (CONTROL.test(raw)) {
      throw refusal(line, 'it has a control character', 'Remove it, and save the file with plain line ends')
    }
    lines.push({ text: '', line })
    if (/^\s*(?:#|$)/.test(raw)) continue
    const isContinued = raw.trimEnd().endsWith(escapeCharacter)
    const part = isContinued ? raw.trimEnd().slice(0, -1) : raw
    if (part.trimEnd().endsWith(escapeCharacter)) {
      throw refusal(line, `it ends with several "${escapeCharacter}"`, 'Write the end of the line in another way')
    }
    open = { text: (open?.text ?? '') + (open ? part : part.trimStart()), line: open?.line ?? line }
    if (isContinued) continue
    lines[open.line - 1] = { text: open.text.trim(), line: open.line }
    open = undefined
  }
  if (open) lines[open.line - 1] = { text: open.text.trim(), line: open.line }
  return { escapeCharacter, lines }
}

/** Of the directives at the beginning, which end with the first other line. */
function escapeOf(physical: readonly string[]): string {
  let escapeCharacter = '\\'
  for (const line of physical) {
    const [, name, value] = /^#\s*([a-z][a-z0-9]*)\s*=\s*(.+?)\s*$/i.exec(line) ?? []
    if (name === undefined) break
    if (name.toLowerCase() !== 'escape') continue
    if (value !== '\\' && value !== '`') throw new AppError('bad_request', 'The escape of a Dockerfile is \\ or `.')
    escapeCharacter = value
  }
  return escapeCharacter
}

function instructionOf(text: string, line: number): Instruction {
  const [name = '', ...words] = text.split(SPACES)
  if (INSTRUCTIONS.has(name.toLowerCase())) return { name: name.toLowerCase(), words, line }
  throw refusal(line, `"${name.slice(0, 40)}" is no instruction`, 'Begin a line with one such as FROM, RUN or COPY')
}

function check({ name, words, line }: Instruction): void {
  if (name === 'onbuild') return check(instructionOf(words.join(' '), line))
  const flags = flagsOf(words)
  const odd = flags.find(flag => !FLAG.test(flag))
  if (odd !== undefined) {
    throw refusal(line, `the flag ${odd.slice(0, 40)} is not plain`, 'Write its value without quotes and blanks')
  }
  if (name === 'run' && flags.length > 0) {
    throw refusal(line, `the builder knows no ${flags[0]?.slice(0, 40)} of RUN`, 'Leave it out')
  }
  if (['run', 'copy', 'add'].includes(name) && words.some(word => /^\d*<<-?[^<]/.test(word))) {
    throw refusal(
      line,
      'it has a here-document, which the builder does not know',
      'Join commands with &&, or COPY a file',
    )
  }
  if (name === 'add') checkAdd(words, line)
}

/** The engine itself fetches what ADD names by a URL, from its own network. */
function checkAdd(words: readonly string[], line: number): void {
  const rest = words.slice(flagsOf(words).length)
  const listed = listIn(rest.join(' '))
  const all = listed ?? rest
  const sources = all.length > 1 ? all.slice(0, -1) : all
  if (sources.some(source => source.includes('$'))) {
    throw refusal(line, 'ADD has a variable as its source', 'Name the file itself, or use COPY')
  }
  // What is where differs between builders that take a list for words.
  if (![...rest, ...all].some(isRemote)) return
  throw refusal(
    line,
    'ADD names an address, which the engine itself would fetch, from a network that no sandbox has',
    'Use RUN with curl or git in its place',
  )
}

function flagsOf(words: readonly string[]): string[] {
  const end = words.findIndex(word => !word.startsWith('--'))
  return words.slice(0, end < 0 ? words.length : end)
}

/** Images that COPY takes files from, which the engine brings. */
function copiedFrom(words: readonly string[], stages: ReadonlySet<string>, line: number): string[] {
  const named = flagsOf(words).flatMap(flag => /^--from=(.*)$/.exec(flag)?.[1] ?? [])
  if (named.some(from => from.includes('$'))) {
    throw refusal(line, 'COPY has a variable in --from', 'Name the stage or the image itself')
  }
  return named.filter(from => !/^\d+$/.test(from) && !stages.has(from.toLowerCase()))
}

/** A list of words in JSON; undefined for anything else. */
function listIn(text: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) && parsed.every(each => typeof each === 'string') ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Quotes and escapes in the middle of a word are taken out by the builder, before it looks what the word is. */
function isRemote(source: string): boolean {
  const plain = source.replace(/["'\\`]/g, '')
  return plain.includes('://') || /^(?:git@|[^/@\s]+@[^/:\s]+:)/i.test(plain) || /^(?:https?|git|ssh):/i.test(plain)
}

function baseImagesOf(
  instructions: readonly Instruction[],
  { buildArgs, escapeCharacter }: { buildArgs: Readonly<Record<string, string>>; escapeCharacter: string },
): string[] {
  const args = new Map<string, string>()
  const stages = new Set<string>()
  const images = new Set<string>()
  let isBeforeFirst = true
  for (const { name, words, line } of instructions) {
    if (name === 'arg' && isBeforeFirst) {
      for (const word of words) {
        const [key = '', value] = word.split(/=(.*)/s)
        const given = Object.hasOwn(buildArgs, key) ? buildArgs[key] : value
        // Without a value it takes that of an earlier one away.
        if (given === undefined) args.delete(key)
        else args.set(key, given)
      }
    }
    if (name === 'copy') for (const image of copiedFrom(words, stages, line)) images.add(image)
    if (name !== 'from') continue
    isBeforeFirst = false
    const [written = '', as, stage, ...more] = words.slice(flagsOf(words).length)
    if (more.length > 0 || (as !== undefined && (as.toLowerCase() !== 'as' || stage === undefined))) {
      throw refusal(line, 'FROM has more than an image and a name', 'Write FROM IMAGE, or FROM IMAGE AS NAME')
    }
    const image = expandVariables(written, args, escapeCharacter)
    if (image === undefined || image === '') {
      throw refusal(line, 'the base image cannot be told', 'Write its name, or give the ARG before FROM a plain value')
    }
    if (image !== 'scratch' && !stages.has(image.toLowerCase())) images.add(image)
    if (stage !== undefined && /^[a-z][\w.-]*$/i.test(stage)) stages.add(stage.toLowerCase())
  }
  if (isBeforeFirst)
    throw new AppError('bad_request', 'The Dockerfile has no FROM. Begin it with one, like FROM debian:12.')
  if (images.size > BOUNDS.baseImages.limit) {
    throw new AppError('bad_request', `The Dockerfile has more than ${BOUNDS.baseImages.limit} base images.`)
  }
  return [...images]
}

function refusal(line: number, what: string, next: string): AppError {
  const where = line > 0 ? `Line ${line} of the Dockerfile` : 'The Dockerfile'
  return new AppError('bad_request', `${where} cannot be built: ${what}. ${next}.`)
}
