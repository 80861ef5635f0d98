/** Of a sandbox. Beside the workspace: what is attached is no change of the repository, and never in a mounted folder of the person. */
export const ATTACHMENTS_FOLDER = '/tmp/attachments'

/** What stands in a message for files that came with it, for the agent to read. Names are quoted: they may hold anything. */
export function attachedFilesText(paths: readonly string[]): string {
  return listedPaths('Attached files:', paths)
}

/** A title with paths below it; '' for none. */
export function listedPaths(title: string, paths: readonly string[]): string {
  return paths.length > 0 ? [title, ...paths.map(path => `- ${JSON.stringify(path)}`)].join('\n') : ''
}
