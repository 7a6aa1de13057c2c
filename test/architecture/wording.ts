import { parseSync } from 'rolldown/utils'
import { type Rule, sourceRule } from './rule.ts'
import { lineOf, type Node, type Source, type Violation, violationAt } from './source.ts'
import { isWeb, type TextCall, textCallsIn } from './texts.ts'

/** Traces of one machine, which must not be published. The patterns do not match themselves. */
const MACHINE_TRACES = [
  {
    pattern: /(?<![\w./}-])\/work\/\w/,
    instead: 'a path of one machine: make it relative, or take it from the environment',
  },
  {
    pattern: /registry\.npmjs\.org/,
    instead: "a registry's address: leave the registry to npm's own configuration",
  },
]

/** First words that hide the subject of a comment. A name such as "Of" in code is not one. */
const HIDDEN_SUBJECT = /^(?:What|Who|Whom|Whose|Whether|Whoever|Whatever|Of|Those|That|So|The same)(?![\w'’])/

/** Words of docs/GLOSSARY.md that are no longer used, as they appear in names. */
const RETIRED =
  /^(?:told|tell|tells|teller|hear|hears|heard|hearer|hearers|news|deed|deeds|verdict|verdicts|judge|warden|desk|seat|bury|heed|wish|wishes|circumstances|belongings|furniture|scenery|anew|supersession)$/

/** Words and phrases of docs/GLOSSARY.md that are no longer used in texts of the web client. */
const RETIRED_IN_TEXTS =
  /\b(?:tells?|told|heard of|hears? of|deeds?|anew|somebody|whoever|no more|meanwhile|stands?|comes? in|takes? back)\b/i

export const noMachineTraces: Rule = {
  name: 'no file names a machine or a registry',
  check: ({ files }) => Object.entries(files).flatMap(([path, text]) => tracesIn(path, text)),
}

export const plainComments = sourceRule(
  'a comment begins with its subject or a verb, and with no retired word',
  hiddenSubjectsIn,
)

export const plainNames = sourceRule('an exported name has no retired word', retiredNamesIn)

export const plainTexts = sourceRule('a text of the web client has no retired word', (source) =>
  isWeb(source) ? textCallsIn(source).flatMap((call) => retiredTextsIn(source, call)) : [],
)

export const wordingRules: readonly Rule[] = [noMachineTraces, plainComments, plainNames, plainTexts]

function tracesIn(path: string, text: string): Violation[] {
  const traces = MACHINE_TRACES.filter(({ pattern }) => pattern.test(text))
  if (traces.length === 0) return []
  return text
    .split('\n')
    .flatMap((line, index) =>
      traces
        .filter(({ pattern }) => pattern.test(line))
        .map(({ instead }) => ({ path, line: index + 1, message: instead })),
    )
}

/** Parses the file again, because a Source has no comments. Skips line comments below another: they continue its sentence. */
function hiddenSubjectsIn(source: Source): Violation[] {
  const { comments } = parseSync(source.path, source.text)
  const lines = comments.map(({ start }) => lineOf(source, start))
  return comments.flatMap(({ type, value }, index) => {
    const line = lines[index] ?? 1
    if (type === 'Line' && comments[index - 1]?.type === 'Line' && lines[index - 1] === line - 1) return []
    const [first = ''] = value.replace(/^[*\s]+/, '').split(/[\s.,:;]/)
    const message = messageFor(value.replace(/^[*\s]+/, ''), first)
    return message === undefined ? [] : [{ path: source.path, line, message }]
  })
}

function messageFor(comment: string, first: string): string | undefined {
  if (HIDDEN_SUBJECT.test(comment)) return 'begin with the subject, or with a verb: see docs/GLOSSARY.md'
  return RETIRED.test(first.toLowerCase())
    ? `“${first}” is retired: docs/GLOSSARY.md has another word`
    : undefined
}

function retiredTextsIn(source: Source, { call, texts }: TextCall): Violation[] {
  return texts.flatMap((text = '') => {
    const [word] = RETIRED_IN_TEXTS.exec(text) ?? []
    if (word === undefined) return []
    return [violationAt(source, call, `“${word}” is retired: docs/GLOSSARY.md has another word`)]
  })
}

function retiredNamesIn(source: Source): Violation[] {
  return source.places
    .filter(({ parent }) => parent?.node.type === 'ExportNamedDeclaration')
    .flatMap(({ node }) => namesOf(node))
    .flatMap((name) => {
      const word = wordsOf(name.name).find((part) => RETIRED.test(part))
      if (word === undefined) return []
      return [violationAt(source, name, `“${word}” is retired: docs/GLOSSARY.md has another word`)]
    })
}

function namesOf(node: Node): Extract<Node, { type: 'Identifier' }>[] {
  if (node.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => identifiersIn(id))
  return 'id' in node && node.id !== null ? identifiersIn(node.id) : []
}

function identifiersIn(node: unknown): Extract<Node, { type: 'Identifier' }>[] {
  return isIdentifier(node) ? [node] : []
}

function isIdentifier(node: unknown): node is Extract<Node, { type: 'Identifier' }> {
  return typeof node === 'object' && node !== null && 'type' in node && node.type === 'Identifier'
}

/** Splits `tellAgain`, `TELL_AGAIN` and `TellerDeps` into lower-case words. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
}
