import { shownName } from '../state/files/tree.ts'

/** A path or a name from a sandbox, exactly as it is: from left to right in every language, with each space, and with what cannot be seen written out. */
export function PathText({ path }: { path: string }) {
  return (
    <bdi dir="ltr" className="[white-space-collapse:preserve]">
      {shownName(path)}
    </bdi>
  )
}
