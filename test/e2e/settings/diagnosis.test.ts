import { expect } from 'vitest'
import { it as test } from '../../fixtures/window.ts'
import { look } from '../../parts/window/look.ts'

test('a person diagnoses, tests the model, copies a report and reads the log, none of which has the key', async ({
  desktop,
  model,
}) => {
  const { app, page } = desktop
  model.setScript(() => ({ fault: 'authentication' }))
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: /About/ }).click()
  await page.getByRole('button', { name: 'Diagnose' }).click()
  const list = page.getByRole('list', { name: 'Diagnosis' })
  await list.getByText('The engine answers.').waitFor()
  await page.getByRole('button', { name: 'Run again' }).waitFor()
  await list.getByText('Details').first().click()
  await list.getByText('API version').waitFor()
  await look({ app, page }, 'diagnosis')
  await page.getByRole('button', { name: 'Test the model' }).click()
  await list.getByText('The model does not answer.').waitFor()
  await page.evaluate(() => {
    navigator.clipboard.writeText = async text => void Object.assign(window, { copied: text })
  })
  await page.getByRole('button', { name: 'Copy report' }).click()
  const report = await page.evaluate(() => (window as unknown as { copied: string }).copied)
  expect(report).toContain('✗ Model: The model does not answer.')
  expect(report).toContain('✓ Engine: The engine answers.')
  expect(report).not.toContain('sk-e2e')

  await page.getByRole('button', { name: 'Show log' }).first().click()
  const log = page.getByRole('dialog', { name: 'Log' })
  await log.getByText('Ready', { exact: false }).first().waitFor()
  await look({ app, page }, 'log')
  await log.getByRole('searchbox').fill('nothing has this text')
  await log.getByText('No line matches.').waitFor()
  await log.getByRole('button', { name: 'Close' }).click()
  await log.waitFor({ state: 'hidden' })
})
