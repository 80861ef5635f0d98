/** Wherever they stand in a name, also at the end of a longer word: `GITHUB_TOKEN`, `authtoken`, `PASSWORD_2`. */
const ANYWHERE = /(?:token|secret|password|passwd|passphrase|credential|apikey|accesskey|privatekey)s?$/
/** At its end alone: `SSH_KEY` is a secret, `SSH_KEY_FILE` says where one is. */
const AT_THE_END = /^(?:key|pass|pwd|pw|pat|jwt)s?$/
const OF_A_REQUEST = /^(?:auth|authorization|bearer|cookies?|dsn|jwt|key|pass|pwd|session|sig|signature)$/

/** Whether what has this name is secret: a variable, a field or an option such as `apiKey`, `private-token` or `DB_PASSWORD`. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  return words.some(word => ANYWHERE.test(word)) || AT_THE_END.test(words.at(-1) ?? '')
}

/** The same for what is sent along with a request, where more names say who asks: `Cookie`, `X-Amz-Signature`, `auth`. */
export function isCredentialName(name: string): boolean {
  return isSecretName(name) || wordsOf(name).some(word => OF_A_REQUEST.test(word))
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/(api|access|private)[^a-z0-9]+keys?/g, '$1key')
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
}
