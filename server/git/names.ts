/** The name of an object of git, as SHA-1 gives it. */
export function isObjectName(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}

/** A full name of a branch or tag that every git accepts: https://git-scm.com/docs/git-check-ref-format */
export function isRefName(name: string): boolean {
  return (
    /^refs\/(heads|tags)\/[^-]/.test(name) &&
    name.length <= 400 &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them in names
    !/[\u0000- \u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[./]$|\ufffd/.test(name)
  )
}

export function isBranchRef(name: string): boolean {
  return name.startsWith('refs/heads/') && isRefName(name)
}
