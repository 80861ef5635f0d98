/** An object keeps nothing under the name of its own prototype. */
export function isKept(name: string): boolean {
  return name !== '__proto__'
}

export const LOST_NAME = 'this name is lost in objects'
