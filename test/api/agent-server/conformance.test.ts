import { describe } from 'vitest'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { gatewayCaller } from '../../parts/client/gateway.ts'
import { putToTheTest, type Statement } from '../../parts/statement.ts'
import { CONDENSER_STATEMENTS } from '../cases/condenser.ts'
import { EXTRA_STATEMENTS } from '../cases/extras.ts'
import { LANGUAGE_MODEL_STATEMENTS } from '../cases/language-models.ts'
import { METRICS_STATEMENTS } from '../cases/metrics.ts'
import { PROMPT_STATEMENTS } from '../cases/prompts.ts'
import { SKILL_STATEMENTS } from '../cases/skills.ts'

const it = base.extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
  settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai },
}))

const DEFAULTS = { condenser_max_size: null, enable_default_condenser: true }

const named = (statements: readonly Statement[]) => statements.map(statement => [statement.says, statement] as const)

describe.each([
  ['the condenser', named(CONDENSER_STATEMENTS)],
  ['messages and the prompt', named(PROMPT_STATEMENTS)],
  ['metrics', named(METRICS_STATEMENTS)],
  ['titles, sub-agents and hooks', named(EXTRA_STATEMENTS)],
  ['skills', named(SKILL_STATEMENTS)],
  ['models', named(LANGUAGE_MODEL_STATEMENTS)],
])('of %s', (_what, statements) => {
  it.for(statements)('%s', { timeout: 60_000 }, async ([_says, statement], { service, model }) => {
    await service.client.call(storeSettingsV1, { body: { ...DEFAULTS, ...statement.settings } })
    const caller = gatewayCaller(service, service.key)
    statement.shows(await putToTheTest(statement, { caller, model }))
  })
})
