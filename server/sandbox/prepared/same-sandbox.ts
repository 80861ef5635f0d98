import { LABEL } from '../../docker/container/labels.ts'
import type { ContainerRequest } from '../../docker/engine.ts'

/** Whether two requests make the same sandbox, but for its name and the time at which it was asked for. */
export function sameSandbox(one: ContainerRequest, other: ContainerRequest): boolean {
  return JSON.stringify(withoutIdentity(one)) === JSON.stringify(withoutIdentity(other))
}

function withoutIdentity({ name: _, labels, ...request }: ContainerRequest) {
  const { [LABEL.createdAt]: _at, ...others } = labels
  return { ...request, labels: others }
}
