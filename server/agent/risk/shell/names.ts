import { clip } from '../finding.ts'
import type { ShellAnalysis } from './analysis.ts'

/** Letters of other alphabets that look like ASCII ones. */
const LOOK_ALIKES: Record<string, string> = {
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  х: 'x',
  у: 'y',
  і: 'i',
  ѕ: 's',
  ԁ: 'd',
  һ: 'h',
  ј: 'j',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
  г: 'r',
  ո: 'n',
  ս: 'u',
  ց: 'g',
  ο: 'o',
  α: 'a',
  ν: 'v',
  ρ: 'p',
  υ: 'u',
  ι: 'i',
  κ: 'k',
  τ: 't',
  ɡ: 'g',
  ı: 'i',
  ʀ: 'r',
  ⅿ: 'm',
  ⅼ: 'l',
  ⅽ: 'c',
  ⅾ: 'd',
}

/** The program that a command's first word names, without its folder and without disguise. */
export function runNames(analysis: ShellAnalysis, word: string): string[] {
  const base = word.slice(word.lastIndexOf('/') + 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything that is not ASCII
  if (!/[^\u0000-\u007F]/.test(base)) return [base]
  const plain = [...base.normalize('NFKD')]
    .map(char => LOOK_ALIKES[char] ?? char)
    .filter(char => !/\p{M}|\p{Cf}|\s/u.test(char))
    .join('')
  const hides = /^[\w.+-]+$/.test(plain) && /[A-Za-z]/.test(plain)
  analysis.report(
    hides ? 'HIGH' : 'MEDIUM',
    hides
      ? `The name of the program uses letters that look like others: ${clip(base)}`
      : `Runs a program with an unusual name: ${clip(base)}`,
  )
  return [hides ? plain : base]
}
