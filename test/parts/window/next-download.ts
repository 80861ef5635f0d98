import type { DesktopApp } from './desktop-app.ts'

/** Resolves to the state and the name of the next file that the window downloads, which is written to `path`. */
export function nextDownload({ app }: DesktopApp, path: string): Promise<string> {
  return app.evaluate(
    ({ session }, to) =>
      new Promise<string>(resolve => {
        session.defaultSession.once('will-download', (_event, item) => {
          item.setSavePath(to)
          item.once('done', (_done, state) => resolve(`${state} ${item.getFilename()}`))
        })
      }),
    path,
  )
}
