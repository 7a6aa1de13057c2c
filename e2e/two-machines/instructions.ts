import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Settings and commands of the README that users type to set up a server for others. */
export interface Instructions {
  /** Lines of `foyer.env`. */
  settings: string
  start: string
  /** The line of `foyer.env` for `providers.json`. */
  providerSetting: string
  backUp: string
  restore: string
  goOn: string
}

/** Example values of the README, which users replace with their own. */
export const EXAMPLE = { url: 'https://chat.example.org', backups: '/mnt/backups/chat' }

const TITLE = '## For others, step by step'

/** Reads the README. @throws Error if its steps are no longer those that the test follows */
export function readInstructions(readme = read('README.md')): Instructions {
  const [, after] = readme.split(`\n${TITLE}\n`)
  if (after === undefined) throw new Error(`README.md has no section ${TITLE}`)
  const [section = ''] = after.split('\n## ')
  const found = codeOf(section)
  const [settings, start, providerSetting, backUp, restore, goOn] = found
  if (goOn === undefined || found.length > 6)
    throw new Error(`${TITLE} has ${found.length} blocks of code, and the test follows 6`)
  return {
    ...{ settings: settings ?? '', start: start ?? '', providerSetting: providerSetting ?? '' },
    ...{ backUp: backUp ?? '', restore: restore ?? '', goOn },
  }
}

/** Returns the example of `providers.json` in docs/SIGN-IN.md. */
export function readProviderExample(): Record<string, string> {
  const example = codeOf(read('docs/SIGN-IN.md')).find((code) => code.startsWith('['))
  const [provider]: Record<string, string>[] = JSON.parse(example ?? '[]')
  if (provider === undefined) throw new Error('docs/SIGN-IN.md has no example of a provider')
  return provider
}

/** Replaces example values with values of the test. @throws Error if an example is missing: the test would not follow the README */
export function adapt(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((adapted, [example, own]) => {
    if (!adapted.includes(example)) throw new Error(`README.md no longer says ${example} in: ${text}`)
    return adapted.replaceAll(example, own)
  }, text)
}

/** Returns the blocks of code, without the indentation of a list. */
function codeOf(markdown: string): string[] {
  return [...markdown.matchAll(/^( *)```\w*\n(.*?)^ *```$/gms)].map(([, indentation = '', code = '']) =>
    code
      .split('\n')
      .map((line) => line.slice(indentation.length))
      .join('\n')
      .trim(),
  )
}

function read(path: string): string {
  return readFileSync(`${root}/${path}`, 'utf8')
}
