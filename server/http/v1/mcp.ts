import type { Express } from 'express'
import type { McpSignIn } from '../../api/v1/settings/mcp-sign-in.ts'
import {
  endMcpSignIn,
  forgetMcpSignIn,
  getMcpSignIn,
  startMcpSignIn,
  submitMcpSignIn,
} from '../../api/v1/settings/mcp-sign-in.ts'
import {
  addMcpServer,
  listMcpServers,
  removeMcpServer,
  restartMcpServer,
  testMcpServer,
} from '../../api/v1/settings/mcp-states.ts'
import type { Services } from '../core/services.ts'
import { expressPath, mount, readCall } from '../mount/mount.ts'

const OK = { success: true }

/** Tool servers: those of a conversation, trying one out, and signing in. */
export function mountMcp(app: Express, { toolServers }: Services): void {
  mount(app, listMcpServers, async ({ params }) => ({ items: await toolServers.list(params.conversation_id) }))
  mount(app, addMcpServer, ({ params, body }) => toolServers.add(params.conversation_id, body.name, body.server))
  mount(app, removeMcpServer, async ({ params }) => {
    await toolServers.remove(params.conversation_id, params.name)
    return OK
  })
  mount(app, restartMcpServer, ({ params }) => toolServers.restart(params.conversation_id, params.name))
  mount(app, testMcpServer, ({ body, signal }) => toolServers.test(body, signal))
  mount(app, startMcpSignIn, ({ body, signal }) => toolServers.signIns.start(body.server, signal))
  mount(app, getMcpSignIn, ({ params }) => toolServers.signIns.get(params.job_id))
  mount(app, submitMcpSignIn, ({ params, body, signal }) =>
    toolServers.signIns.submit(params.job_id, body.callback_url, signal),
  )
  mount(app, forgetMcpSignIn, async ({ body }) => {
    await toolServers.signIns.forget(body.url)
    return OK
  })
  mountReturn(app, toolServers.signIns)
}

/** What a person sees in the browser after signing in. It repeats nothing of what came in the address. */
function mountReturn(app: Express, signIns: Services['toolServers']['signIns']): void {
  app[endMcpSignIn.method](expressPath(endMcpSignIn.path), async (request, response) => {
    const { signal } = readCall(endMcpSignIn, request, response)
    const { searchParams } = new URL(request.originalUrl, 'http://localhost')
    const text = wordsOf(await signIns.callback(searchParams, signal))
    response.set({
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
    })
    response
      .type('html')
      .send(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Atelier</title><p>${text}</p></html>`)
  })
}

function wordsOf(job: McpSignIn | undefined): string {
  if (!job) return 'Nobody waits for this sign-in any more. Begin anew in Atelier.'
  if (job.status === 'succeeded') return 'You are signed in. You can close this page and go back to Atelier.'
  return 'The sign-in failed. Atelier says why; you can close this page.'
}
