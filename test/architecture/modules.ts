import { type Rule, sourceRule } from './rule.ts'
import { type Node, type Violation, violationAt } from './source.ts'

/** Words without a meaning. They must not be a name or its last word, as in `string-utils` and `sessionManager`. */
const EMPTY_NAMES = ['util', 'utils', 'helper', 'helpers', 'common', 'shared', 'misc', 'manager', 'managers']

/** Files of tools that require a default export. */
const DEFAULT_EXPORT_FILES = [
  { pattern: /\.config\.ts$/, reason: 'vite loads its configuration so' },
  { pattern: /(^|\/)global-setup\.ts$/, reason: 'the test runner calls it so' },
  { pattern: /\/failure-reporter\.ts$/, reason: 'the test runner imports its reporters so' },
  { pattern: /\/assets\.d\.ts$/, reason: 'the bundler gives the address of a script so' },
  { pattern: /\/parser-parts\.ts$/, reason: 'the parser imports one of its libraries so' },
]

export const names: Rule = {
  name: 'files and folders are named after what they hold',
  check: ({ files }) => Object.keys(files).flatMap(badName),
}

export const noBarrels = sourceRule('no file only re-exports', (source) => {
  const [program] = source.places
  if (program?.node.type !== 'Program' || !isBarrel(program.node.body)) return []
  return [violationAt(source, program.node, 'a barrel: import each name from the file that declares it')]
})

export const noDefaultExports = sourceRule(
  'default exports stand only where a tool demands them',
  (source) => {
    if (DEFAULT_EXPORT_FILES.some(({ pattern }) => pattern.test(source.path))) return []
    return source.places
      .filter(({ node }) => isDefaultExport(node))
      .map(({ node }) => violationAt(source, node, 'export it by name'))
  },
)

export const moduleRules: readonly Rule[] = [names, noBarrels, noDefaultExports]

function badName(path: string): Violation[] {
  const isIndex = /(^|\/)index\.tsx?$/.test(path)
  const empty = path.split('/').some((segment) => EMPTY_NAMES.includes(lastWord(segment)))
  return isIndex || empty ? [{ path, line: 1, message: 'name it after the noun or the role it holds' }] : []
}

/** Returns the last word of a file name without its extensions: `stringUtils.test.ts` → `utils`. */
function lastWord(segment: string): string {
  const words = segment.replace(/(?<=.)\..*$/, '').match(/[A-Z]?[a-z0-9]+/g)
  return words?.at(-1)?.toLowerCase() ?? ''
}

function isBarrel(body: readonly Node[]): boolean {
  const forwards = body.some((node) => node.type === 'ExportAllDeclaration' || isNamedReExport(node))
  return (
    forwards &&
    body.every(
      (node) =>
        node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration' || isNamedReExport(node),
    )
  )
}

/** Matches `export { a } from`, and `export { a }` of an import, which only makes sense in a barrel. */
function isNamedReExport(node: Node): boolean {
  return node.type === 'ExportNamedDeclaration' && node.declaration === null && node.specifiers.length > 0
}

function isDefaultExport(node: Node): boolean {
  if (node.type === 'ExportDefaultDeclaration') return true
  return (
    node.type === 'ExportSpecifier' && node.exported.type === 'Identifier' && node.exported.name === 'default'
  )
}
