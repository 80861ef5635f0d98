import { expect, test } from 'vitest'
import { isCredentialName, isSecretName } from '../../server/api/secret-names.ts'

test.each(
  'GITHUB_TOKEN token tokens authtoken apiKey api_key API-KEYS x-api-key OPENAI_API_KEY_2 AWS_SECRET_ACCESS_KEY PGPASSWORD DB_PASS db.pwd GITHUB_PAT SSH_KEY clientSecret'.split(
    ' ',
  ),
)('%s is the name of a secret', name => {
  expect(isSecretName(name)).toBe(true)
  expect(isCredentialName(name)).toBe(true)
})

test.each(
  'TOKENIZER SSH_KEY_FILE MONKEY KEYBOARD_LAYOUT keyword PATH BYPASS COMPASS author SECRETARY compat'.split(' '),
)('%s is not', name => {
  expect(isSecretName(name)).toBe(false)
})

test.each('Cookie Authorization X-Amz-Signature sig auth session SENTRY_DSN key'.split(' '))('%s says who asks', name =>
  expect(isCredentialName(name)).toBe(true),
)

test.each('author keyword signatures-list monkey sessions'.split(' '))('%s says nothing of that kind', name =>
  expect(isCredentialName(name)).toBe(false),
)
