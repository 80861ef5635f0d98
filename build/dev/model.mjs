import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleProgram } from '../bundle/node.mjs'
import { outFolder, projectFolder } from '../machine/paths.mjs'

const NAME = 'openai/scripted'

/** @returns {Promise<{url: string, close: () => Promise<void>}>} */
export async function startModel() {
  const folder = join(outFolder, 'dev', 'model')
  const source = join(projectFolder, 'build', 'dev', 'scripted-model.ts')
  await bundleProgram({ name: 'scripted-model', source, folder })
  const { startScriptedModel } = await import(pathToFileURL(join(folder, 'scripted-model.js')).href)
  return startScriptedModel()
}

/**
 * Makes the scripted model the one of new conversations, unless the developer has chosen another. Its port is a new one
 * each time.
 * @param {{url: string, key: string}} service
 * @param {string} modelUrl
 */
export async function chooseModel({ url, key }, modelUrl) {
  const address = `${url}/api/v1/settings`
  const headers = { 'X-Session-API-Key': key, 'Content-Type': 'application/json' }
  const stored = await fetch(address, { headers })
  // 404 until something has been saved.
  const settings = stored.ok ? await stored.json() : {}
  if (settings.llm_model && settings.llm_model !== NAME) return
  const body = JSON.stringify({ llm_model: NAME, llm_base_url: modelUrl })
  const reply = await fetch(address, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`The scripted model could not be set (${reply.status}). ${await reply.text()}`)
}
