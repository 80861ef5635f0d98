/** Endings of file names, and what stands behind the fence of a code block, by the language that they tell. */
const NAMES = {
  bash: 'sh bash zsh shell ksh bats',
  c: 'c h',
  clojure: 'clj cljs cljc edn clojure',
  cpp: 'cpp cc cxx hpp hh hxx c++',
  csharp: 'cs csharp c#',
  css: 'css',
  dart: 'dart',
  diff: 'diff patch',
  docker: 'dockerfile docker containerfile',
  elixir: 'ex exs elixir',
  erlang: 'erl hrl erlang',
  go: 'go',
  graphql: 'graphql gql',
  groovy: 'groovy gradle',
  haskell: 'hs haskell',
  html: 'html htm xhtml',
  ini: 'ini cfg conf properties editorconfig',
  java: 'java',
  javascript: 'js mjs cjs javascript',
  json: 'json webmanifest ipynb',
  jsonc: 'jsonc json5',
  jsx: 'jsx',
  julia: 'jl julia',
  kotlin: 'kt kts kotlin',
  less: 'less',
  lua: 'lua',
  make: 'makefile gnumakefile mk make',
  markdown: 'md markdown mdx',
  nginx: 'nginx',
  nix: 'nix',
  'objective-c': 'm mm objc',
  ocaml: 'ml mli ocaml',
  perl: 'pl pm perl',
  php: 'php',
  powershell: 'ps1 psm1 powershell pwsh',
  proto: 'proto protobuf',
  python: 'py pyi pyw python',
  r: 'r rscript',
  ruby: 'rb rake gemspec gemfile rakefile ruby',
  rust: 'rs rust',
  scala: 'scala sc sbt',
  scss: 'scss',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  terraform: 'tf tfvars hcl terraform',
  toml: 'toml',
  tsx: 'tsx',
  typescript: 'ts mts cts typescript',
  viml: 'vim',
  vue: 'vue',
  xml: 'xml svg xsd xsl plist csproj',
  yaml: 'yaml yml',
  zig: 'zig',
} as const

export type Language = keyof typeof NAMES

const BY_NAME = new Map(
  (Object.keys(NAMES) as Language[]).flatMap(language =>
    NAMES[language].split(' ').map(name => [name, language] as const),
  ),
)

/** Of a code block, by what stands behind its fence; null for none that is known. */
export function languageNamed(name: string): Language | null {
  return BY_NAME.get(name.toLowerCase()) ?? null
}

/** Of a file, by its name; null for none that is known. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return languageNamed(name) ?? languageNamed(name.slice(name.lastIndexOf('.') + 1))
}
