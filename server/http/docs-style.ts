/** The page's only style; light and dark follow the system. */
export const DOCS_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ddd9d2, #3a3a3a); --quiet: light-dark(#5c5850, #a8a49c); --code: light-dark(#f0eee9, #262626) }
* { box-sizing: border-box }
body { margin: 0; display: grid; grid-template-columns: 220px minmax(0, 1fr); font: 14px/1.5 system-ui, sans-serif }
nav { position: sticky; top: 0; height: 100vh; padding: 24px 16px; border-right: 1px solid var(--line); display: flex; flex-direction: column; gap: 8px; overflow: auto }
main { padding: 24px 32px; max-width: 960px }
h1 small, summary span { color: var(--quiet); font-weight: normal }
h2 { margin-top: 40px } h4 { margin: 16px 0 4px }
a { color: light-dark(#2f52c4, #9db2ff); text-decoration: none } a:hover { text-decoration: underline }
details { border: 1px solid var(--line); border-radius: 6px; margin: 8px 0; padding: 8px 12px }
summary { cursor: pointer } summary span { margin-left: 8px }
code, pre { font: 13px/1.5 ui-monospace, monospace } pre { background: var(--code); padding: 12px; border-radius: 6px; overflow: auto }
table { border-collapse: collapse; width: 100% } td { border-top: 1px solid var(--line); padding: 4px 12px 4px 0; vertical-align: top }
summary b { display: inline-block; min-width: 60px } .get { color: light-dark(#12692f, #7fd49a) } .post, .put, .patch { color: light-dark(#2f52c4, #9db2ff) } .delete { color: light-dark(#b3261e, #ff9a92) }
:focus-visible { outline: 2px solid light-dark(#2f52c4, #9db2ff); outline-offset: 2px }
@media (max-width: 900px) { body { display: block } nav { position: static; height: auto; border: 0 } }
`
