import { DIRECTION } from '../language/current.ts'

const STEPS: Record<string, 1 | -1> =
  DIRECTION === 'rtl' ? { ArrowLeft: 1, ArrowRight: -1 } : { ArrowLeft: -1, ArrowRight: 1 }

/** Where an arrow key goes in a row: 1 is the way of reading, -1 against it; undefined for every other key. */
export function readingStep(key: string): 1 | -1 | undefined {
  return STEPS[key]
}
