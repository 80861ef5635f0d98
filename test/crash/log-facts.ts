import { expect } from 'vitest'
import type { Event } from '../../server/api/event/events.ts'
import { effectProblems, logProblems } from '../chaos/invariants.ts'
import { LINE } from './agent.ts'

/** What holds for a log on which nobody works, however its service died. */
export function expectWhole(events: readonly Event[]): void {
  expect(logProblems(events)).toEqual([])
}

/** @param lines of the file that the commands write to */
export function expectCarriedOutOnce(events: readonly Event[], lines: readonly string[]): void {
  expect(effectProblems(events, lines, LINE)).toEqual([])
}
