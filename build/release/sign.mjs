import { runMain, SetupError, say } from '../machine/progress.mjs'
import { signDescriptions, updateSource } from './signature.mjs'

/**
 * `node build/release/sign.mjs FOLDER`: signs the descriptions of updates that are in it with `ATELIER_UPDATE_PRIVATE_KEY`. It needs no package, so
 * that nothing from elsewhere runs beside the key.
 */
await runMain(async () => {
  const [folder, ...more] = process.argv.slice(2)
  const key = process.env.ATELIER_UPDATE_PRIVATE_KEY
  if (!folder || more.length > 0) throw new SetupError('Name the folder with the descriptions, and nothing else.')
  if (!key) throw new SetupError('ATELIER_UPDATE_PRIVATE_KEY is not set: it is a private key of Ed25519 in PEM.')
  const signed = signDescriptions(folder, { key, ...knownKeys() })
  if (signed.length === 0) throw new SetupError(`There is no description of an update in ${folder}.`)
  say(`✓ ${signed.join('\n  ')}`)
  return 0
})

function knownKeys() {
  const source = updateSource()
  return source ? { publicKeys: source.publicKeys } : {}
}
