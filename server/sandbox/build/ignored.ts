const MAX_LINES = 200

/** @returns whether a path of a build context is left out by `.dockerignore`, as far as that is plain: with a negation it is not */
export function ignoredBy(text: string): (path: string) => boolean {
  const lines = /^!/m.test(text) ? [] : text.split('\n').slice(0, MAX_LINES)
  const ignored = lines.flatMap(line => {
    const pattern = line
      .trim()
      .replace(/^\.?\/+/, '')
      .replace(/\/+$/, '')
    return /^[\w./-]+$/.test(pattern) ? [pattern] : []
  })
  return path => ignored.some(each => path === each || path.startsWith(`${each}/`))
}
