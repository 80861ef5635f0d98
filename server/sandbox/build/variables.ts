/**
 * A word of a FROM with the values of its variables, of which `${NAME:-default}` is the only form with a default.
 * @returns undefined for any other form: what a builder makes of it is not known
 */
export function expandVariables(
  word: string,
  args: ReadonlyMap<string, string>,
  escapeCharacter: string,
): string | undefined {
  let isKnown = true
  const expanded = unquoted(word).replace(
    /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::-([^${}]*))?\})/g,
    (_all, plain: string | undefined, braced: string | undefined, fallback: string | undefined) => {
      const value = unquoted(args.get(plain ?? braced ?? '') ?? '') || fallback
      // A value may hold a variable itself, which some builders replace and others do not.
      if (value === undefined || value.includes('$')) isKnown = false
      return value ?? ''
    },
  )
  const isPlain = !/[$"']/.test(expanded) && !expanded.includes(escapeCharacter)
  return isKnown && isPlain ? expanded : undefined
}

function unquoted(text: string): string {
  return /^(["'])([^"']*)\1$/.exec(text)?.[2] ?? text
}
