import { spawn } from 'node:child_process'
import { describe, expect, vi } from 'vitest'
import { Outbound } from '../../../server/outbound/outbound.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { startSshServer } from '../../parts/engine/ssh-server.ts'
import { startLoopback } from '../../parts/loopback.ts'
import { freePort, isListening } from '../../parts/network/port.ts'
import { startWebProxy } from '../../parts/network/web-proxy.ts'

/** Known in the network of the proxy alone. */
const MODEL = 'http://model.example/v1'

const it = base
  .extend('proxy', { scope: 'file' }, async ({ model }, { onCleanup }) => {
    const proxy = await startWebProxy({ 'model.example:80': Number(new URL(model.url.openai).port) })
    onCleanup(proxy.close)
    return proxy
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_base_url: MODEL }),
  }))

describe('behind a proxy', () => {
  it('a conversation asks a model that this computer cannot look up, and says when the proxy is gone', async ({
    service,
    proxy,
    model,
    onTestFinished,
  }) => {
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    vi.stubEnv('HTTP_PROXY', proxy.address.replace('//', '//ada:canary-secret@'))
    model.setScript([{ toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] }])
    const task = await startConversation(service, { title: 'Named', initial_message: said('Say hello') })
    const log = await watch(service, task.app_conversation_id ?? '')
    await log.untilStatus('finished')
    await log.close()
    expect(proxy.calls.map(({ line }) => line)).toContain(`POST ${MODEL}/chat/completions`)
    expect(JSON.stringify(log.events())).not.toContain('canary')

    vi.stubEnv('HTTP_PROXY', 'http://ada:canary-secret@127.0.0.1:1')
    const failing = await startConversation(service, { title: 'Named', initial_message: said('Say hello') })
    const failed = await watch(service, failing.app_conversation_id ?? '')
    await failed.until(frame => JSON.stringify(frame).includes('llm_retry'), 'Another try')
    await failed.close()
    const text = JSON.stringify(failed.frames)
    expect(text).toContain('The proxy 127.0.0.1:1 does not answer. Check the proxy of this computer')
    expect(text).not.toContain('canary')
  })

  it('of SOCKS, a server is reached by the name that it has there', async ({ onTestFinished }) => {
    const server = await startLoopback((_, reply) => reply.end('behind it'))
    onTestFinished(() => server.close())
    const ssh = await startSshServer()
    onTestFinished(() => ssh.close())
    const port = await freePort()
    const { hostname, port: sshPort, username } = new URL(ssh.host)
    const words = ['-N', '-D', `127.0.0.1:${port}`, '-p', sshPort, `${username}@${hostname}`]
    const tunnel = spawn('ssh', words, { env: { ...process.env, ...ssh.env }, stdio: 'ignore' })
    onTestFinished(() => void tunnel.kill())
    await isListening(port)
    const calls = new Outbound({
      allowedHosts: () => [],
      findProxy: async () => new URL(`socks5h://127.0.0.1:${port}`),
      resolve: () => Promise.reject(new Error('Nobody looks it up here.')),
    })
    onTestFinished(() => calls.close())
    const limits = { bytes: 1_000, headersMs: 20_000, silenceMs: 20_000, totalMs: 20_000 }
    const fetch = calls.fetch({ namedBy: 'person', limits })
    expect(await (await fetch(`http://localhost:${server.port}/`)).text()).toBe('behind it')
  })
})
