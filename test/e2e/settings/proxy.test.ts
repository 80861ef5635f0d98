import { expect } from 'vitest'
import { diagnoseModel } from '../../../server/api/v1/system/diagnosis.ts'
import { it as base } from '../../fixtures/window.ts'
import { startWebProxy } from '../../parts/network/web-proxy.ts'
import { desktopProgram } from '../../parts/window/desktop-app.ts'
import { look } from '../../parts/window/look.ts'

const test = base
  .extend('proxy', { scope: 'file' }, async ({ model }, { onCleanup }) => {
    const proxy = await startWebProxy({ 'model.example:80': Number(new URL(model.url.openai).port) })
    onCleanup(proxy.close)
    return proxy
  })
  .extend('settings', { scope: 'file' }, () => ({
    llm_model: 'openai/gpt-5',
    llm_base_url: 'http://model.example/v1',
    llm_api_key: 'sk-e2e',
  }))
  /** What the desktop, or Windows or macOS, would have set. */
  .extend('desktopOptions', { scope: 'file' }, ({ keyring, proxy }) => {
    const { path, args } = desktopProgram()
    return { env: keyring.env, program: { path, args: [...args, `--proxy-server=${new URL(proxy.address).host}`] } }
  })

test('the proxy of the system leads to the model, and is shown', async ({ desktop, proxy, model }) => {
  const { page, service } = desktop
  model.setScript(() => ({ text: 'Yes.' }))
  expect(await service.client.call(diagnoseModel)).toMatchObject({ check: 'model' })
  expect(proxy.calls.map(({ line }) => line)).toContain('POST http://model.example/v1/chat/completions')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'About and system' }).click()
  await page.getByRole('button', { name: 'Diagnose' }).click()
  await page.getByText('Atelier connects through a proxy.', { exact: false }).waitFor()
  await look(desktop, 'settings-diagnosis-proxy')
})
