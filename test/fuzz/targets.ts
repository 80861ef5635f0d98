import { GATEWAY_OPERATIONS } from '../../server/api/agent-server/contract.ts'
import type { JsonSchema } from '../../server/api/contract/json-schemas.ts'
import type { OpenApi, Operation } from '../../server/api/contract/openapi.ts'
import type { Route } from '../../server/api/contract/route.ts'
import { OPERATIONS } from '../../server/api/contract/routes.ts'
import { APP_CASES, GATEWAY_CASES } from '../api/cases/tables.ts'
import type { CaseTable, OperationCase } from '../parts/operation/case.ts'

export type Port = 'app' | 'gateway'

/** One operation of a live contract. */
export interface Target {
  port: Port
  method: string
  path: string
  operation: Operation
  /** Undefined where the contract only says that it is not supported. */
  route: Route | undefined
  /** A request that succeeds, with `$name` for what has to be there. */
  valid: OperationCase | undefined
  body: JsonSchema | undefined
  document: OpenApi
}

/** What starts containers, ends them, or takes away what the others are about: it comes seldom. */
const SELDOM = new Set([
  'newConversation',
  'startConversation',
  'stopConversation',
  'deleteConversation',
  'createAppConversation',
  'streamStart',
  'deleteAppConversation',
  'startDemonstration',
  'startReplay',
  'startSandbox',
  'pauseSandbox',
  'resumeSandbox',
  'deleteSandbox',
  'testMcpServer',
  'gatewayTestMcp',
  'startGatewayConversation',
  'deleteGatewayConversation',
  'forkConversation',
  'forkGatewayConversation',
  'restartMcpServer',
])

/** What ends the service that the others speak to: any request of its form does. */
const LEFT_OUT = new Set(['eraseStorage'])

export function isSeldom({ operation }: Target): boolean {
  return SELDOM.has(operation.operationId)
}

const OF_PORT: Record<Port, { operations: ReadonlyMap<string, Route>; cases: CaseTable }> = {
  app: { operations: OPERATIONS, cases: APP_CASES },
  gateway: { operations: GATEWAY_OPERATIONS, cases: GATEWAY_CASES },
}

/** Every operation of the document that this port publishes, but those that would end it. */
export async function readTargets(port: Port, url: string): Promise<Target[]> {
  const reply = await fetch(`${url}/openapi.json`)
  if (!reply.ok) throw new Error(`${url}/openapi.json was answered with ${reply.status}.`)
  const document: OpenApi = await reply.json()
  const { operations, cases } = OF_PORT[port]
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !LEFT_OUT.has(operation.operationId))
      .map(([method, operation]) => ({
        port,
        method: method.toUpperCase(),
        path,
        operation,
        route: operations.get(operation.operationId),
        valid: cases[operation.operationId]?.success,
        body: operation.requestBody?.content['application/json']?.schema,
        document,
      })),
  )
}
