interface Language {
  readonly name: string
  readonly aliases: readonly string[]
}

/** Highlighted languages. Their grammars are in `grammars.ts`. */
const languages: Readonly<Record<string, Language>> = {
  bash: language('Shell', ['sh', 'shell', 'zsh', 'console']),
  c: language('C', ['h']),
  cpp: language('C++', ['c++', 'cc', 'hpp']),
  csharp: language('C#', ['cs', 'c#']),
  css: language('CSS', ['scss', 'less']),
  diff: language('Diff', ['patch']),
  dockerfile: language('Dockerfile', ['docker']),
  go: language('Go', ['golang']),
  ini: language('INI', ['toml', 'conf']),
  java: language('Java', []),
  javascript: language('JavaScript', ['js', 'jsx', 'mjs', 'cjs']),
  json: language('JSON', ['jsonc', 'json5']),
  kotlin: language('Kotlin', ['kt']),
  lua: language('Lua', []),
  makefile: language('Makefile', ['make', 'mk']),
  markdown: language('Markdown', ['md']),
  php: language('PHP', []),
  python: language('Python', ['py', 'python3']),
  ruby: language('Ruby', ['rb']),
  rust: language('Rust', ['rs']),
  sql: language('SQL', ['pgsql', 'postgres', 'mysql']),
  swift: language('Swift', []),
  typescript: language('TypeScript', ['ts', 'tsx', 'mts']),
  xml: language('XML', ['html', 'svg', 'xhtml', 'vue']),
  yaml: language('YAML', ['yml']),
}

function language(name: string, aliases: readonly string[]): Language {
  return { name, aliases }
}

/** Returns the id of the language named by a fence, or undefined if it is unknown. */
export function languageId(written: string): string | undefined {
  if (Object.hasOwn(languages, written)) return written
  return Object.keys(languages).find((id) => languages[id]?.aliases.includes(written))
}

/** Returns the display name of a language, or its name as written if it is unknown. */
export function languageName(written: string): string {
  return languages[languageId(written) ?? '']?.name ?? written
}
