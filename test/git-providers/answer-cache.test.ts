import { expect, it } from 'vitest'
import { AnswerCache } from '../../server/git-providers/api/client/answer-cache.ts'

const answer = (length: number) => ({ etag: 'e', body: 'x'.repeat(length), headers: new Headers() })

it('keeps what was used last, and never more than its bound', () => {
  const cache = new AnswerCache(100)
  cache.set('a', answer(40))
  cache.set('b', answer(40))
  cache.get('a')
  cache.set('c', answer(40))
  expect(cache.get('b')).toBeUndefined()
  expect(cache.get('a')?.body).toHaveLength(40)
  cache.set('d', answer(200))
  expect(cache.get('d')).toBeUndefined()
  expect(cache.size).toBeLessThanOrEqual(100)
  cache.set('a', answer(10))
  cache.set('c', answer(10))
  expect(cache.size).toBe(24)
})
