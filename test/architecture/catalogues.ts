import type { Rule, Tree } from './rule.ts'
import type { Node, Source, Violation } from './source.ts'
import { isWeb, textCallsIn } from './texts.ts'

const CATALOGUE = /^apps\/web\/src\/language\/(\w+)\.json$/
/** The table of errors, and its parts for archives, operators, threads, voice and webhooks. */
const ERRORS = /^apps\/server\/src\/kernel\/(?:archive-|operator-|thread-|voice-|webhook-)?errors\.ts$/
/** Prefix of error codes in the names of texts for the server's errors. */
const ERROR = 'error.'

/** The parsed texts of a language. A counted text has a form for each plural category. */
interface Catalogue {
  path: string
  code: string
  entries: readonly (readonly [name: string, text: unknown])[]
}

/** A required text: the names of its values and tags, and whether it has plurals. */
interface Wanted {
  parts: readonly string[]
  isCounted: boolean
}

export const cataloguesAreWhole: Rule = {
  name: 'every catalogue has exactly the texts of the source and the errors of the server, sorted',
  check: (tree) => {
    const wanted = wantedIn(tree)
    return cataloguesIn(tree).flatMap((catalogue) => [
      ...missingIn(catalogue, wanted),
      ...staleIn(catalogue, wanted),
      ...unsortedIn(catalogue),
    ])
  },
}

export const translationsFit: Rule = {
  name: 'translations have the values, the tags and the plurals of their texts',
  check: (tree) => {
    const wanted = wantedIn(tree)
    return cataloguesIn(tree).flatMap((catalogue) =>
      catalogue.entries.flatMap(([name, text]) => {
        const original = wanted.get(name)
        if (original === undefined || fits(catalogue.code, original, text)) return []
        return [
          at(
            catalogue,
            `“${name}”: give it the same {values} and <tags>, and each plural of ${catalogue.code}`,
          ),
        ]
      }),
    )
  },
}

export const catalogueRules: readonly Rule[] = [cataloguesAreWhole, translationsFit]

function cataloguesIn({ files }: Tree): Catalogue[] {
  return Object.entries(files).flatMap(([path, text]) => {
    const [, code] = CATALOGUE.exec(path) ?? []
    if (code === undefined) return []
    const read: unknown = JSON.parse(text)
    return [{ path, code, entries: Object.entries(read ?? {}) }]
  })
}

function wantedIn({ sources }: Tree): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const { name, isCounted } of sources.filter(isWeb).flatMap(textCallsIn)) {
    if (name !== undefined) wanted.set(name, { parts: partsOf(name), isCounted })
  }
  for (const code of sources.filter(({ path }) => ERRORS.test(path)).flatMap(codesIn)) {
    wanted.set(ERROR + code, { parts: [], isCounted: false })
  }
  return wanted
}

/** Lists the keys of the table of errors. */
function codesIn({ places }: Source): string[] {
  return places.flatMap(({ node }) =>
    node.type === 'Property' && node.value.type === 'ObjectExpression' && node.value.properties.some(isStatus)
      ? [node.key.type === 'Identifier' ? node.key.name : '']
      : [],
  )
}

function isStatus(node: Node): boolean {
  return node.type === 'Property' && node.key.type === 'Identifier' && node.key.name === 'status'
}

function missingIn(catalogue: Catalogue, wanted: ReadonlyMap<string, Wanted>): Violation[] {
  const has = new Set(catalogue.entries.map(([name]) => name))
  return [...wanted.keys()]
    .filter((name) => !has.has(name))
    .map((name) => at(catalogue, `missing: “${name}”`))
}

function staleIn(catalogue: Catalogue, wanted: ReadonlyMap<string, Wanted>): Violation[] {
  return catalogue.entries
    .filter(([name]) => !wanted.has(name))
    .map(([name]) => at(catalogue, `nothing says “${name}” any more: take it out`))
}

function unsortedIn(catalogue: Catalogue): Violation[] {
  const names = catalogue.entries.map(([name]) => name)
  const index = names.findIndex((name, place) => place > 0 && name < (names[place - 1] ?? ''))
  return index === -1
    ? []
    : [at(catalogue, `“${names[index]}” stands after “${names[index - 1]}”: sort them`)]
}

function fits(code: string, { parts, isCounted }: Wanted, text: unknown): boolean {
  if (typeof text === 'string') return !isCounted && sameParts(parts, partsOf(text))
  if (!isCounted || typeof text !== 'object' || text === null) return false
  const plurals: [string, unknown][] = Object.entries(text)
  const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions()
  return (
    plurals
      .map(([category]) => category)
      .sort()
      .join() === [...pluralCategories].sort().join() &&
    plurals.every(([, form]) => typeof form === 'string' && sameParts(parts, partsOf(form)))
  )
}

/** Ignores `{count}`, which a plural may spell out, and `{message}`: an error may repeat the server's message. */
function sameParts(wanted: readonly string[], given: readonly string[]): boolean {
  const all = (parts: readonly string[]) =>
    [...new Set(parts)]
      .filter((part) => part !== '{count}' && part !== '{message}')
      .sort()
      .join()
  return all(wanted) === all(given)
}

function partsOf(text: string): string[] {
  return text.match(/\{\w+\}|<\/?\w+>/g) ?? []
}

function at({ path }: Catalogue, message: string): Violation {
  return { path, line: 1, message }
}
