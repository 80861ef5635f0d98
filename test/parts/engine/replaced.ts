import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'

/** A sandbox of which a test replaces a part. */
export function replaced(handle: SandboxHandle, parts: Partial<SandboxHandle>): SandboxHandle {
  return new Proxy(handle, {
    get: (_, name) => {
      if (Object.hasOwn(parts, name)) return Reflect.get(parts, name)
      const value = Reflect.get(handle, name)
      return typeof value === 'function' ? value.bind(handle) : value
    },
  })
}
