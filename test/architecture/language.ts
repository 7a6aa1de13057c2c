import { nodeRule, type Rule, sourceRule } from './rule.ts'
import { type Node, type Source, type Violation, violationAt } from './source.ts'

/**
 * Files where untyped data enters and has just been checked, so that `as` states a known fact.
 * Each file has a reason. Files without an assertion must be removed from this list.
 */
const PARSE_BOUNDARIES: readonly { path: string; reason: string }[] = [
  { path: 'apps/server/src/spaces/access.ts', reason: 'the one place that makes proofs of access' },
  {
    path: 'apps/server/src/operating/operators/access.ts',
    reason: 'the one place that makes proofs of being an operator',
  },
]

export const parses = sourceRule('every file parses', (source) =>
  source.errors.map((error) => ({ path: source.path, line: 1, message: `${error}: correct the syntax` })),
)

export const noEnum = nodeRule('there is no enum', (node) =>
  node.type === 'TSEnumDeclaration' ? 'write a union of literals, or a constant object' : undefined,
)

export const noParameterProperties = nodeRule('there are no parameter properties', (node) =>
  node.type === 'TSParameterProperty' ? 'declare the field and assign it in the constructor' : undefined,
)

export const noNonNull = nodeRule('there is no non-null `!`', (node) => {
  const definite = 'definite' in node && node.definite === true
  return node.type === 'TSNonNullExpression' || definite
    ? 'check for it, or make the type say it is there'
    : undefined
})

export const noAny = nodeRule('there is no `any`', (node) =>
  node.type === 'TSAnyKeyword' ? 'write unknown and narrow it, or name the type' : undefined,
)

export const noAssertions: Rule = assertionRule(PARSE_BOUNDARIES.map(({ path }) => path))

export const languageRules: readonly Rule[] = [
  parses,
  noEnum,
  noParameterProperties,
  noNonNull,
  noAny,
  noAssertions,
]

/** The rule for a given list of parse boundaries. */
export function assertionRule(boundaries: readonly string[]): Rule {
  return {
    name: '`as` stands only in `as const` and at parse boundaries',
    check: ({ sources }) => [
      ...sources.filter(({ path }) => !boundaries.includes(path)).flatMap(assertionsIn),
      ...boundaries.filter((path) => !sources.some((source) => isBoundary(source, path))).map(staleBoundary),
    ],
  }
}

function assertionsIn(source: Source): Violation[] {
  return source.places
    .filter(({ node }) => isAssertion(node))
    .map(({ node }) =>
      violationAt(source, node, 'annotate, narrow, use satisfies, or validate with a schema'),
    )
}

function isBoundary(source: Source, path: string): boolean {
  return source.path === path && assertionsIn(source).length > 0
}

function staleBoundary(path: string): Violation {
  return { path, line: 1, message: 'asserts nothing: take it off PARSE_BOUNDARIES' }
}

function isAssertion(node: Node): boolean {
  if (node.type === 'TSTypeAssertion') return true
  return node.type === 'TSAsExpression' && !isConst(node.typeAnnotation)
}

function isConst(type: Node): boolean {
  return (
    type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const'
  )
}
