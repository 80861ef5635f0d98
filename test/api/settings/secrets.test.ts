import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ vault }))
  .extend('call', { scope: 'file' }, ({ service }) => async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(service.url + path, {
      method,
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: await reply.json() }
  })
  .extend('names', { scope: 'file' }, ({ call }) => async (): Promise<{ name: string; description: string }[]> => {
    return (await call('GET', '/api/secrets')).body.custom_secrets
  })

const vault = createLockableVault()

it.afterEach(async ({ names, call }) => {
  vault.unlock()
  for (const { name } of await names()) await call('DELETE', `/api/secrets/${encodeURIComponent(name)}`)
})

const stored = () => vault.entries().flatMap(([, value]) => value)

describe('custom secrets of the legacy generation', () => {
  it('are created, listed without a value, described anew and deleted, in the words that clients compare', async ({
    call,
    names,
  }) => {
    expect(await call('POST', '/api/secrets', { name: 'NPM_TOKEN', value: 'npm-value-1' })).toEqual({
      status: 201,
      body: { message: 'Secret created successfully' },
    })
    expect(await call('GET', '/api/secrets')).toEqual({
      status: 200,
      body: { custom_secrets: [{ name: 'NPM_TOKEN', description: '' }] },
    })
    expect(await call('PUT', '/api/secrets/NPM_TOKEN', { name: 'NPM', description: 'for publishing' })).toEqual({
      status: 200,
      body: { message: 'Secret updated successfully' },
    })
    expect(await names()).toEqual([{ name: 'NPM', description: 'for publishing' }])
    expect(stored()).toContain('npm-value-1')
    expect(await call('DELETE', '/api/secrets/NPM')).toEqual({
      status: 200,
      body: { message: 'Secret deleted successfully' },
    })
    expect(await names()).toEqual([])
    expect(stored()).not.toContain('npm-value-1')
  })

  it('refuse a name that is taken, for a new one and for a renamed one', async ({ call }) => {
    await call('POST', '/api/secrets', { name: 'A', value: 'first-value' })
    await call('POST', '/api/secrets', { name: 'B', value: 'second-value' })
    const taken = { status: 400, body: { message: 'Secret A already exists' } }
    expect(await call('POST', '/api/secrets', { name: 'A', value: 'third-value' })).toEqual(taken)
    expect(await call('PUT', '/api/secrets/B', { name: 'A' })).toEqual(taken)
    expect(stored()).toEqual(expect.arrayContaining(['first-value', 'second-value']))
    expect(stored()).not.toContain('third-value')
  })

  it('that do not exist answer 404 by their id', async ({ call }) => {
    const missing = { status: 404, body: { error: 'Secret with ID nope not found' } }
    expect(await call('PUT', '/api/secrets/nope', { name: 'x' })).toEqual(missing)
    expect(await call('DELETE', '/api/secrets/nope')).toEqual(missing)
  })

  it('may have names that are no variable, but not one that the shell needs', async ({ call }) => {
    expect(await call('POST', '/api/secrets', { name: 'my key/ä', value: 'any-value' })).toMatchObject({ status: 201 })
    for (const name of ['PATH', 'ld-preload', 'BASH_ENV']) {
      const refused = await call('POST', '/api/secrets', { name, value: 'any-value' })
      expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('Choose another name') } })
    }
  })

  it.for([
    [{ value: 'x' }, ['body', 'name'], 'missing'],
    [{ name: 'A' }, ['body', 'value'], 'missing'],
    [{ name: 7, value: 'x' }, ['body', 'name'], 'string_type'],
    [{ name: 'A', value: '' }, ['body', 'value'], 'string_too_short'],
    [{ name: 'A\nB', value: 'x' }, ['body', 'name'], 'value_error'],
    [{ name: 'A', value: 'a\0b' }, ['body', 'value'], 'value_error'],
  ])('%j is refused at %j with %s', async ([body, loc, type], { call }) => {
    const reply = await call('POST', '/api/secrets', body)
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc, type }] } })
  })

  it('are not changed without a key', async ({ service }) => {
    const reply = await fetch(`${service.url}/api/secrets`, { method: 'POST', body: '{"name":"A","value":"x"}' })
    expect(reply.status).toBe(401)
  })
})

describe('custom secrets of the newer generation', () => {
  it('are created, searched by page, changed with their value, and deleted', async ({ call }) => {
    for (const name of ['ONE', 'TWO', 'THREE']) {
      const made = await call('POST', '/api/v1/secrets', { name, value: `${name}-value`, description: name })
      expect(made).toEqual({ status: 201, body: { name, description: name } })
    }
    const first = await call('GET', '/api/v1/secrets/search?limit=2')
    expect(first.body.items.map(({ name }: { name: string }) => name)).toEqual(['ONE', 'THREE'])
    const second = await call('GET', `/api/v1/secrets/search?limit=2&page_id=${first.body.next_page_id}`)
    expect(second.body).toEqual({ items: [{ name: 'TWO', description: 'TWO' }], next_page_id: null })
    const found = await call('GET', '/api/v1/secrets/search?name__contains=thr')
    expect(found.body.items).toHaveLength(1)

    const changed = await call('PUT', '/api/v1/secrets/ONE', { name: 'ONE', description: '', value: 'another-value' })
    expect(changed).toEqual({ status: 200, body: { name: 'ONE', description: '' } })
    expect(stored()).toContain('another-value')
    expect(stored()).not.toContain('ONE-value')
    expect(await call('DELETE', '/api/v1/secrets/ONE')).toEqual({ status: 200, body: { success: true } })
    expect(await call('DELETE', '/api/v1/secrets/ONE')).toMatchObject({
      status: 404,
      body: { code: 'secret_not_found' },
    })
    expect(await call('POST', '/api/v1/secrets', { name: 'TWO', value: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'secret_exists' },
    })
  })

  it.for(['git-providers', '__proto__'])('cannot be named %s', async (name, { call }) => {
    for (const path of ['/api/v1/secrets', '/api/secrets']) {
      expect(await call('POST', path, { name, value: 'x' })).toMatchObject({ status: 422 })
    }
  })
})

describe('a locked keychain', () => {
  it('refuses to create, replace and delete with a next step, and leaves everything as it was', async ({
    call,
    names,
  }) => {
    await call('POST', '/api/secrets', { name: 'KEPT', value: 'kept-value' })
    vault.lock()
    for (const reply of [
      await call('POST', '/api/secrets', { name: 'NEW', value: 'new-value' }),
      await call('DELETE', '/api/secrets/KEPT'),
    ]) {
      expect(reply).toMatchObject({ status: 503, body: { error: expect.stringContaining('Unlock it') } })
    }
    const replaced = await call('PUT', '/api/v1/secrets/KEPT', { name: 'OTHER', value: 'new-value' })
    expect(replaced).toMatchObject({ status: 503, body: { code: 'keychain_locked' } })
    expect(await names()).toEqual([{ name: 'KEPT', description: '' }])
    vault.unlock()
    expect(await names()).toEqual([{ name: 'KEPT', description: '' }])
    expect(stored()).toContain('kept-value')
    expect(stored()).not.toContain('new-value')
  })

  it('still lets a secret be described', async ({ call }) => {
    await call('POST', '/api/secrets', { name: 'KEPT', value: 'kept-value' })
    vault.lock()
    expect(await call('PUT', '/api/secrets/KEPT', { name: 'KEPT', description: 'new' })).toMatchObject({ status: 200 })
  })

  it('in the middle of a save of settings leaves keys, secrets and fields as they were', async ({
    service,
    call,
    names,
  }) => {
    await service.client.call(storeSettings, {
      body: { language: 'en', llm_api_key: 'old-model-key', secrets_store: { custom_secrets: { OLD: 'old-secret' } } },
    })
    const before = new Map(vault.entries())
    vault.lock(2)
    const reply = await call('POST', '/api/settings', {
      language: 'de',
      llm_api_key: 'new-model-key',
      secrets_store: { custom_secrets: { OLD: 'new-secret', NEW: 'another-secret' } },
    })
    expect(reply).toMatchObject({ status: 503, body: { error: expect.stringContaining('Unlock it') } })
    vault.unlock()
    await call('POST', '/api/secrets', { name: 'TIDY', value: 'tidy-value' }) // what was given up is deleted with the next change
    expect(await names()).toEqual([
      { name: 'OLD', description: '' },
      { name: 'TIDY', description: '' },
    ])
    expect((await call('GET', '/api/settings')).body.language).toBe('en')
    const secretsBefore = [...before].filter(([name]) => name.startsWith('secret:'))
    expect(stored().filter(value => value !== 'tidy-value' && !value.includes('model-key'))).toEqual(
      secretsBefore.map(([, value]) => value),
    )
  })
})

describe('secrets in the settings body', () => {
  it('are merged: what is named is added or replaced, the rest stays, nothing is returned', async ({ call, names }) => {
    await call('POST', '/api/secrets', { name: 'STAYS', value: 'stays-value', description: 'before' })
    await call('POST', '/api/settings', {
      secrets_store: {
        custom_secrets: { A: { secret: 'a-value', description: 'from settings' }, STAYS: { description: 'after' } },
      },
    })
    await call('POST', '/api/settings', {
      secrets_store: { custom_secrets: { A: 'a-new-value' }, provider_tokens: {} },
    })
    expect(await names()).toEqual([
      { name: 'A', description: 'from settings' },
      { name: 'STAYS', description: 'after' },
    ])
    expect(stored()).toEqual(expect.arrayContaining(['stays-value', 'a-new-value']))
    expect(stored()).not.toContain('a-value')
    const settings = await call('GET', '/api/settings')
    expect(settings.body.secrets_store).toEqual({ provider_tokens: {} })
    expect(JSON.stringify(settings.body)).not.toMatch(/a-new-value|stays-value/)
  })
})

describe('a secret', () => {
  it('outlives a restart', async ({ call, service, names }) => {
    await call('POST', '/api/secrets', { name: 'LASTS', value: 'lasting-value' })
    await service.restart()
    expect(await names()).toEqual([{ name: 'LASTS', description: '' }])
  })

  it('whose value went with the session is not listed, and its name is free', async ({ call, service, names }) => {
    await call('POST', '/api/secrets', { name: 'GONE', value: 'session-value' })
    await vault.close()
    await service.restart()
    expect(await names()).toEqual([])
    expect(await call('POST', '/api/secrets', { name: 'GONE', value: 'entered-again' })).toMatchObject({ status: 201 })
    expect(await names()).toEqual([{ name: 'GONE', description: '' }])
  })

  it('is nowhere on the disk', async ({ call, service }) => {
    await call('POST', '/api/secrets', { name: 'DISK', value: 'never-on-the-disk' })
    for (const file of readdirSync(service.dataDir, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue
      expect(readFileSync(join(file.parentPath, file.name)).includes('never-on-the-disk')).toBe(false)
    }
  })
})
