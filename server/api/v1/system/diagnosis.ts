import { z } from 'zod'
import { route } from '../../contract/route.ts'
import { DIAGNOSIS_CHECKS, DIAGNOSIS_FACTS, DIAGNOSIS_FINDINGS } from './diagnosis-words.ts'
import { DEFAULT_ENGINE } from './engines.ts'
import { engineSteps } from './system.ts'

export const diagnosisCheck = z.enum(keysOf(DIAGNOSIS_CHECKS))
export type DiagnosisCheck = z.output<typeof diagnosisCheck>

/** What is looked at on each engine; the rest is of this computer and of Atelier. */
export const ENGINE_CHECKS = [
  'engine',
  'limits',
  'isolation',
  'engine_storage',
  'shares',
  'image',
  'engine_disk',
  'clock',
] as const satisfies readonly DiagnosisCheck[]
export type EngineCheck = (typeof ENGINE_CHECKS)[number]

export const diagnosisFinding = z.enum(keysOf(DIAGNOSIS_FINDINGS))
export type DiagnosisFinding = z.output<typeof diagnosisFinding>

export const diagnosisFactName = z.enum(keysOf(DIAGNOSIS_FACTS))

/** Operations that may repair what was found: what a client offers as a button. */
export const DIAGNOSIS_ACTIONS = [
  'check_again',
  'unlock_keychain',
  'choose_model',
  'choose_spec',
  'free_space',
  'show_log',
] as const
export type DiagnosisAction = (typeof DIAGNOSIS_ACTIONS)[number]

export const diagnosisFact = z.object({
  name: diagnosisFactName.describe('What the fact is about.'),
  value: z
    .union([z.string(), z.number()])
    .describe('The fact. Sizes are in bytes, `latency` in milliseconds, `difference` in seconds. Never a secret.'),
})
export type DiagnosisFact = z.output<typeof diagnosisFact>

/** What one check has found. */
export const diagnosis = z.object({
  check: diagnosisCheck.describe('The check.'),
  engine_id: z.string().nullable().describe('Id of the engine that was looked at; null where it is about none.'),
  state: z
    .enum(['ok', 'warning', 'problem', 'unknown', 'skipped'])
    .describe(
      '`problem`: something cannot work. `warning`: it works, with a drawback. `unknown`: the check could not tell. `skipped`: it needs something that is not there.',
    ),
  finding: diagnosisFinding.describe('What was found, to branch on.'),
  message: z.string().describe('The same in words for people.'),
  facts: z.array(diagnosisFact).describe('What the check saw.'),
  action: z
    .enum(DIAGNOSIS_ACTIONS)
    .nullable()
    .describe(
      'Operation that may repair it, null for none: `check_again` is POST /api/v1/system/recheck, or POST /api/v1/engines/{engine_id}/check of an engine that was added, `unlock_keychain` is POST /api/v1/system/unlock-keychain, `free_space` is POST /api/v1/storage/free; the others are pages of the window.',
    ),
  steps: engineSteps.describe('What to do by hand, one step an item.'),
  duration_ms: z.number().describe('Milliseconds that the check took.'),
})
export type Diagnosis = z.output<typeof diagnosis>

const tag = 'System'

export const runCheck = route({
  method: 'get',
  path: '/api/v1/diagnosis/{check}',
  summary: 'Check one thing that the service stands on',
  description:
    'Checks one thing that the service stands on, such as the engine, and says what is wrong and what repairs it. Checks are bounded in time, ask nobody outside of this computer and its engines, and can be asked for side by side; a request that is given up ends its check. The reply holds no secret.',
  tag,
  params: z.object({ check: diagnosisCheck.describe('What to check.') }),
  query: z.object({
    engine_id: z
      .string()
      .min(1)
      .max(100)
      .default(DEFAULT_ENGINE)
      .describe(
        `Id of the engine to look at, of use to the checks ${ENGINE_CHECKS.map(name => `\`${name}\``).join(', ')}.`,
      ),
  }),
  failures: ['not_found'],
  reply: diagnosis,
})

export const diagnoseModel = route({
  method: 'post',
  path: '/api/v1/diagnosis/model',
  summary: 'Ask the model whether it answers, calls tools and sees images',
  description:
    'Asks the model of the settings three short questions: whether it answers, whether it calls a tool, and whether it sees an image. That costs what three short answers cost.',
  tag,
  reply: diagnosis,
})

function keysOf<T extends object>(record: T): (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[]
}
