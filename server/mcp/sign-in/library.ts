/** The protocol's library, which is read when somebody signs in or a token runs out. */
export const library = () => import('@modelcontextprotocol/client')
