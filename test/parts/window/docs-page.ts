import { expect } from 'vitest'
import { get } from '../client/raw-http.ts'

/** The page of the documentation is files of this port alone, and the policy keeps it so. */
export async function expectPageOf(url: string): Promise<void> {
  const page = await fetch(`${url}/docs`)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toMatch(/unsafe-eval|https?:|ws:|\*/)
  const html = await page.text()
  const scripts = [...html.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
  expect(scripts.length).toBeGreaterThan(0)
  for (const tag of scripts) {
    const file = /src="(\/docs\/[\w.-]+)"/.exec(tag)?.[1]
    const script = await fetch(`${url}${file}`)
    expect([tag, script.status, script.headers.get('content-type')]).toEqual([
      tag,
      200,
      expect.stringContaining('text/javascript'),
    ])
    const again = await get(`${url}${file}`, { 'If-None-Match': script.headers.get('etag') ?? '' })
    expect([tag, again.status]).toEqual([tag, 304])
  }
}
