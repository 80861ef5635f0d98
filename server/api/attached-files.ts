/** Of a sandbox. Beside the workspace: what is attached is no change of the repository, and never in a mounted folder of the person. */
export const ATTACHMENTS_FOLDER = '/tmp/attachments'

const TITLE = 'Attached files:'

/** What stands in a message for files that came with it, for the agent to read. Names are quoted: they may hold anything. */
export function attachedFilesText(paths: readonly string[]): string {
  return listedPaths(TITLE, paths)
}

/** What a person wrote, of a message that ends with the files that came with it. */
export function withoutAttachedFiles(text: string): string {
  const start = text.lastIndexOf(`\n\n${TITLE}\n- "`)
  return start === -1 ? text : text.slice(0, start)
}

/** A title with paths below it; '' for none. */
export function listedPaths(title: string, paths: readonly string[]): string {
  return paths.length > 0 ? [title, ...paths.map(path => `- ${JSON.stringify(path)}`)].join('\n') : ''
}
