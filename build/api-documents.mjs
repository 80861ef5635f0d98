import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { runnerImport } from 'vite'
import { projectFolder } from './machine/paths.mjs'
import { isMain, runMain, say } from './machine/progress.mjs'

/** @typedef {{rule: string, message: string, place: string}} Problem */

/**
 * What is so on purpose. The sandbox in the path is the older shape of the webhooks, which existing agent servers call;
 * no sandbox is named `events`, so the paths never mean the same.
 */
const ON_PURPOSE = [
  {
    rule: 'no-ambiguous-paths',
    message: '`/api/v1/webhooks/{sandbox_id}/conversations` and `/api/v1/webhooks/events/{conversation_id}`',
  },
]

/** Both OpenAPI documents with their examples, by port. */
async function createDocuments() {
  /** @param {string} file */
  const load = async file => (await runnerImport(join(projectFolder, 'server', 'api', file))).module
  const [{ createOpenApi }, { APP_CONTRACT }, { GATEWAY_CONTRACT }] = await Promise.all(
    ['contract/openapi.ts', 'contract/routes.ts', 'agent-server/contract.ts'].map(load),
  )
  const contracts = { app: APP_CONTRACT, gateway: GATEWAY_CONTRACT }
  return Object.entries(contracts).map(([port, contract]) => {
    const options = { url: 'http://127.0.0.1:3737', version: '1.0.0', examples: readExamples(port) }
    return { port, document: createOpenApi(contract, options) }
  })
}

/** @param {string} port */
function readExamples(port) {
  const file = join(projectFolder, 'build', 'resources', 'docs', 'data', `${port}-examples.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/**
 * By the recommended rules of Redocly.
 * @param {object} document
 * @returns {Promise<Problem[]>}
 */
async function lintWithRedocly(document) {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: 'openapi.json' })
  return problems.map(({ ruleId, message, location }) => ({
    rule: ruleId,
    message,
    place: location[0]?.pointer ?? '',
  }))
}

/**
 * By the recommended rules of Spectral.
 * @param {object} document
 * @returns {Promise<Problem[]>}
 */
async function lintWithSpectral(document) {
  const spectral = new spectralCore.Spectral()
  // Its own types do not take its own ruleset.
  const oas = /** @type {import('@stoplight/spectral-core').RulesetDefinition} */ (
    /** @type {unknown} */ (spectralRulesets.oas)
  )
  spectral.setRuleset({ extends: [[oas, 'recommended']], rules: {} })
  const problems = await spectral.run(JSON.parse(JSON.stringify(document)))
  return problems.map(({ code, message, path }) => ({ rule: String(code), message, place: path.join('/') }))
}

/** @param {Problem} problem */
function isOnPurpose({ rule, message }) {
  return ON_PURPOSE.some(one => one.rule === rule && message.includes(one.message))
}

if (isMain(import.meta.filename)) {
  await runMain(async () => {
    let count = 0
    for (const { port, document } of await createDocuments()) {
      const found = [...(await lintWithRedocly(document)), ...(await lintWithSpectral(document))]
      for (const problem of found.filter(one => !isOnPurpose(one))) {
        count++
        say(`${port}: ${problem.rule}: ${problem.message} (${problem.place})`)
      }
    }
    return count === 0 ? 0 : 1
  })
}
