import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { type Diagnosis, diagnoseModel, diagnosisCheck, runCheck } from '../../../server/api/v1/system/diagnosis.ts'
import { getLog } from '../../../server/api/v1/system/log.ts'
import { diskCheck } from '../../../server/doctor/disk.ts'
import { it as base } from '../../fixtures/service.ts'
import { command, jsonLines } from '../../parts/command-line.ts'
import { smallDisk } from '../../parts/engine/small-disk.ts'

const KEY = 'sk-canary-9d1f7c44b0'
const PROXY = 'canary-proxy-51ee'

const it = base.extend('whole', { scope: 'file' }, async ({ service }) => {
  await service.client.call(storeSettingsV1, { body: { llm_api_key: KEY, search_api_key: `${KEY}-search` } })
  const proxy = process.env.HTTPS_PROXY
  process.env.HTTPS_PROXY = `http://ada:${PROXY}@proxy.example:8080`
  try {
    return await Promise.all(diagnosisCheck.options.map(check => service.client.call(runCheck, { params: { check } })))
  } finally {
    if (proxy === undefined) delete process.env.HTTPS_PROXY
    else process.env.HTTPS_PROXY = proxy
  }
})

const of = (found: readonly Diagnosis[], check: string) => found.find(each => each.check === check)

describe('a diagnosis', () => {
  it('finds a service with an engine in order, and shows no secret', async ({ whole }) => {
    expect(whole.map(({ check, state }) => ({ check, state })).filter(({ state }) => state === 'problem')).toEqual([])
    expect(of(whole, 'engine')).toMatchObject({ state: 'ok', finding: 'engine_answers' })
    expect(of(whole, 'shares')).toMatchObject({ state: 'ok', finding: 'shares_work' })
    expect(of(whole, 'network')).toMatchObject({ state: 'ok', finding: 'network_protected' })
    expect(of(whole, 'model')).toMatchObject({ state: 'ok', finding: 'model_chosen' })
    expect(of(whole, 'proxy')).toMatchObject({ finding: 'proxy_used' })
    expect(of(whole, 'clock')).toMatchObject({ finding: 'clock_right' })
    expect(JSON.stringify(whole)).not.toContain('canary')
  })

  it('asks the model, and says that it refuses the key', async ({ service, model }) => {
    model.setScript(() => ({ fault: 'authentication' }))
    const found = await service.client.call(diagnoseModel)
    expect(found).toMatchObject({ check: 'model', state: 'problem', finding: 'model_failed' })
    expect(JSON.stringify(found)).not.toContain('canary')
  })

  it('is the same from the command line, and ends with 0', async ({ service }) => {
    const env = {
      ATELIER_DATA_DIR: service.dataDir,
      SESSION_API_KEY: service.key,
      HTTPS_PROXY: `http://ada:${PROXY}@proxy.example:8080`,
    }
    const { code, stdout } = await command(['doctor', '--json'], { env })
    expect(jsonLines(stdout).map(({ check }) => check)).toEqual(diagnosisCheck.options)
    expect(code).toBe(0)
    const text = await command(['doctor'], { env })
    expect(text.stdout).toContain('✓ Engine: The engine answers.')
    expect(stdout + text.stdout + text.stderr).not.toContain('canary')
  })
})

describe('without a service', () => {
  it('the machine is checked, and a dead engine ends the command with 1 and what to do', async ({ service }) => {
    const env = {
      ATELIER_DATA_DIR: join(service.dataDir, 'nobody'),
      ATELIER_VAULT: 'session',
      DOCKER_HOST: 'unix:///nowhere/docker.sock',
      GITHUB_TOKEN: KEY,
      HTTP_PROXY: `http://ada:${PROXY}@proxy.example:8080`,
    }
    const { code, stdout, stderr } = await command(['doctor'], { env })
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/✗ Engine: No engine can be used.*→ .*- Model: Only a running Atelier/s),
    })
    expect(stdout + stderr).not.toContain('canary')
  })

  it('a full disk is a problem', async ({ onTestFinished }) => {
    const disk = smallDisk(8)
    onTestFinished(() => disk.remove())
    disk.fill()
    const found = await diskCheck({ folder: disk.folder, openToOthers: () => [] })(new AbortController().signal)
    expect(found).toMatchObject({ state: 'problem', finding: 'disk_full', action: 'free_space' })
  })
})

describe('the log', () => {
  it('is empty where the service writes none', async ({ service }) => {
    expect(await service.client.call(getLog, { query: {} })).toMatchObject({ lines: [], before: null })
  })
})
