import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BrowserLines } from '../../renderer/pages/conversation/panel/details/BrowserPart.tsx'
import { ResultBody } from '../../renderer/pages/conversation/timeline/action/ResultBody.tsx'
import { observationEvent } from '../../server/api/event/events.ts'
import type { BrowserState } from '../../server/api/v1/conversation/browser.ts'

const shown = (browser: Exclude<BrowserState, { state: 'unknown' }>) =>
  renderToStaticMarkup(<BrowserLines browser={browser} />)

test('an image without a browser is said, with the command that brings one', () => {
  const markup = shown({ state: 'missing', install: 'apk add --no-cache chromium' })
  expect(markup).toContain('The image of this sandbox has no browser')
  expect(markup).toContain('<code class="min-w-0 flex-1 break-words text-sm">apk add --no-cache chromium</code>')
  expect(markup).toContain('aria-label="Copy command"')
})

test('where no package brings one, another image is proposed', () => {
  const markup = shown({ state: 'missing', install: null })
  expect(markup).toContain('Choose a sandbox spec whose image brings')
  expect(markup).not.toContain('<code')
})

test('a screenshot is shown once, with what the page says', () => {
  const picture = 'data:image/jpeg;base64,AAAA'
  const content = [
    { type: 'text' as const, text: 'Title: Shop' },
    { type: 'image' as const, image_urls: [picture] },
  ]
  const event = observationEvent.parse({
    ...{ kind: 'ObservationEvent', source: 'environment', id: 'o', seq: 1, timestamp: '2026-01-02T03:04:05.678Z' },
    ...{ tool_name: 'browser_get_state', tool_call_id: 'c', action_id: 'a' },
    observation: { kind: 'BrowserObservation', content, is_error: false, screenshot_data: picture },
  })
  const markup = renderToStaticMarkup(<ResultBody action={null} event={event} />)
  expect(markup.match(/<img/g)).toHaveLength(1)
  expect(markup).toContain('alt="Screenshot 1"')
  expect(markup).toContain('Title: Shop')
})

test('an open browser shows its tabs, of which one is current', () => {
  const installed = { executable: '/usr/bin/chromium', version: '156.0.1' }
  expect(shown({ state: 'ready', ...installed })).toContain('Ready, opened when the agent needs it')
  const markup = shown({
    state: 'running',
    ...installed,
    tabs: [
      { id: 'ab12', url: 'http://localhost:3000/', title: 'Shop', current: true },
      { id: 'cd34', url: 'http://localhost:3000/b', title: '', current: false },
    ],
  })
  expect(markup).toContain('/usr/bin/chromium 156.0.1')
  expect(markup).toMatch(/Shop.*http:\/\/localhost:3000\/<\/span>.*current.*http:\/\/localhost:3000\/b /)
  expect(markup.match(/current/g)).toHaveLength(1)
})
