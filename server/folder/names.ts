/** What a folder is called in a sandbox. */
export function folderNameIn(path: string): string {
  const last = path.split(/[\\/]/).findLast(part => part !== '') ?? ''
  const name = last.replace(/[^\w.-]/g, '-').replace(/^[-.]+/, '')
  return /^\.*$/.test(name) ? 'folder' : name.slice(0, 100)
}
