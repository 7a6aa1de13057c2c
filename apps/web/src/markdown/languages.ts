import type { LanguageFn } from 'highlight.js'

interface Language {
  readonly name: string
  readonly aliases: readonly string[]
  readonly load: () => Promise<{ default: LanguageFn }>
}

/** The languages that people show each other most. Each comes when it is first read. */
const languages: Readonly<Record<string, Language>> = {
  bash: language('Shell', ['sh', 'shell', 'zsh', 'console'], () => import('highlight.js/lib/languages/bash')),
  c: language('C', ['h'], () => import('highlight.js/lib/languages/c')),
  cpp: language('C++', ['c++', 'cc', 'hpp'], () => import('highlight.js/lib/languages/cpp')),
  csharp: language('C#', ['cs', 'c#'], () => import('highlight.js/lib/languages/csharp')),
  css: language('CSS', ['scss', 'less'], () => import('highlight.js/lib/languages/css')),
  diff: language('Diff', ['patch'], () => import('highlight.js/lib/languages/diff')),
  dockerfile: language('Dockerfile', ['docker'], () => import('highlight.js/lib/languages/dockerfile')),
  go: language('Go', ['golang'], () => import('highlight.js/lib/languages/go')),
  ini: language('INI', ['toml', 'conf'], () => import('highlight.js/lib/languages/ini')),
  java: language('Java', [], () => import('highlight.js/lib/languages/java')),
  javascript: language(
    'JavaScript',
    ['js', 'jsx', 'mjs', 'cjs'],
    () => import('highlight.js/lib/languages/javascript'),
  ),
  json: language('JSON', ['jsonc', 'json5'], () => import('highlight.js/lib/languages/json')),
  kotlin: language('Kotlin', ['kt'], () => import('highlight.js/lib/languages/kotlin')),
  lua: language('Lua', [], () => import('highlight.js/lib/languages/lua')),
  makefile: language('Makefile', ['make', 'mk'], () => import('highlight.js/lib/languages/makefile')),
  markdown: language('Markdown', ['md'], () => import('highlight.js/lib/languages/markdown')),
  php: language('PHP', [], () => import('highlight.js/lib/languages/php')),
  python: language('Python', ['py', 'python3'], () => import('highlight.js/lib/languages/python')),
  ruby: language('Ruby', ['rb'], () => import('highlight.js/lib/languages/ruby')),
  rust: language('Rust', ['rs'], () => import('highlight.js/lib/languages/rust')),
  sql: language('SQL', ['pgsql', 'postgres', 'mysql'], () => import('highlight.js/lib/languages/sql')),
  swift: language('Swift', [], () => import('highlight.js/lib/languages/swift')),
  typescript: language(
    'TypeScript',
    ['ts', 'tsx', 'mts'],
    () => import('highlight.js/lib/languages/typescript'),
  ),
  xml: language('XML', ['html', 'svg', 'xhtml', 'vue'], () => import('highlight.js/lib/languages/xml')),
  yaml: language('YAML', ['yml'], () => import('highlight.js/lib/languages/yaml')),
}

function language(name: string, aliases: readonly string[], load: Language['load']): Language {
  return { name, aliases, load }
}

/** The id of the language that a fence names; undefined for one that is not known here. */
export function languageId(written: string): string | undefined {
  if (Object.hasOwn(languages, written)) return written
  return Object.keys(languages).find((id) => languages[id]?.aliases.includes(written))
}

/** What people call the language; what was written for one that is not known here. */
export function languageName(written: string): string {
  return languages[languageId(written) ?? '']?.name ?? written
}

export async function loadGrammar(id: string): Promise<LanguageFn | undefined> {
  return (await languages[id]?.load())?.default
}
