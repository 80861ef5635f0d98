import { z } from 'zod'

/** What is read of the browser's answers and events; everything else in them is left out. */

export const targetInfo = z.object({
  targetId: z.string(),
  type: z.string(),
  title: z.string(),
  url: z.string(),
  openerId: z.string().optional(),
  subtype: z.string().optional(),
})
export const knownTarget = z.object({ targetInfo })
export const attachedToTarget = z.object({ sessionId: z.string(), targetInfo })
export const detachedFromTarget = z.object({ sessionId: z.string() })

export const navigated = z.object({ errorText: z.string().optional(), loaderId: z.string().optional() })
export const history = z.object({
  currentIndex: z.int(),
  entries: z.array(z.object({ id: z.int(), url: z.string() })),
})
export const layoutMetrics = z.object({
  cssVisualViewport: z.object({ pageX: z.number(), pageY: z.number(), clientHeight: z.number() }),
  cssContentSize: z.object({ height: z.number() }),
})
export const screenshot = z.object({ data: z.string() })
export const quads = z.object({ quads: z.array(z.array(z.number()).length(8)) })
export const nodeAt = z.object({ backendNodeId: z.int() })
export const resolvedNode = z.object({ object: z.object({ objectId: z.string() }) })
export const callResult = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.unknown().optional(),
})

interface DescribedNode {
  backendNodeId: number
  nodeName: string
  attributes?: string[] | undefined
  children?: DescribedNode[] | undefined
  shadowRoots?: DescribedNode[] | undefined
}
const describedNode: z.ZodType<DescribedNode> = z.lazy(() =>
  z.object({
    backendNodeId: z.int(),
    nodeName: z.string(),
    attributes: z.array(z.string()).optional(),
    children: z.array(describedNode).optional(),
    shadowRoots: z.array(describedNode).optional(),
  }),
)
export const described = z.object({ node: describedNode })

export const frameEvent = z.object({ frameId: z.string() })
export const frameNavigated = z.object({ frame: z.object({ id: z.string(), parentId: z.string().optional() }) })
export const requestEvent = z.object({ requestId: z.string(), type: z.string().optional() })
export const requestPaused = z.object({ requestId: z.string() })
export const dialogOpening = z.object({ type: z.string(), message: z.string() })
export const downloadBegin = z.object({ guid: z.string(), suggestedFilename: z.string() })
export const downloadProgress = z.object({
  guid: z.string(),
  state: z.enum(['inProgress', 'completed', 'canceled']),
  filePath: z.string().optional(),
})
export const exceptionThrown = z.object({
  exceptionDetails: z.object({
    text: z.string(),
    url: z.string().optional(),
    lineNumber: z.int().optional(),
    exception: z.object({ description: z.string().optional() }).optional(),
  }),
})
export const consoleCalled = z.object({
  type: z.string(),
  args: z.array(z.object({ value: z.unknown().optional(), description: z.string().optional() })),
})
export const logEntry = z.object({
  entry: z.object({ level: z.string(), text: z.string(), url: z.string().optional() }),
})

export const cookie = z.object({
  name: z.string(),
  value: z.string(),
  domain: z.string(),
  path: z.string(),
  expires: z.number(),
  httpOnly: z.boolean(),
  secure: z.boolean(),
  sameSite: z.enum(['Strict', 'Lax', 'None']).optional(),
})
export const cookies = z.object({ cookies: z.array(cookie) })
