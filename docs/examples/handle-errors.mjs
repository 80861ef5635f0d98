import { ApiError, connect, routes } from 'atelier/client'

const atelier = await connect({ timeoutMs: 10_000 })
try {
  // Any operation of /openapi.json can be called by its id; parameters, bodies and replies are typed.
  await atelier.call(routes.pauseSandbox, { params: { sandbox_id: 'none' }, signal: AbortSignal.timeout(5_000) })
} catch (error) {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'sandbox_not_found') console.log(`${error.status}: ${error.message} ${error.nextStep}`)
}
