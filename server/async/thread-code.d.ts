/** A module with all that it imports as the code of one thread, made while bundling (`build/bundle/thread-code.mjs`). */
declare module '*?thread' {
  const code: string
  export default code
}
