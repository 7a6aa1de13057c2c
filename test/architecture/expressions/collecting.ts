import { isTest, type Node, type Place, type Source } from '../source.ts'

/** A regular expression with its position in the source. */
export interface Found {
  node: Node
  pattern: string
  flags: string
}

const PRODUCT = /^(apps\/(server|web)|packages\/(protocol|sdk))\/src\//

/** Finds all regular expressions of a product source: literals, `new RegExp(…)`, and the patterns of schemas. */
export function expressionsIn(source: Source): Found[] {
  if (!PRODUCT.test(source.path) || isTest(source.path)) return []
  return source.places.flatMap((place) => expressionAt(source, place) ?? [])
}

function expressionAt(source: Source, { node }: Place): Found | undefined {
  if (node.type === 'Literal' && 'regex' in node) return { node, ...node.regex }
  const isMade = node.type === 'NewExpression' || node.type === 'CallExpression'
  if (isMade && node.callee.type === 'Identifier' && node.callee.name === 'RegExp') {
    const [pattern, flags] = node.arguments.map((argument) => textOf(source, argument))
    return { node, pattern: pattern ?? ANY_WORD, flags: flags ?? '' }
  }
  const pattern = node.type === 'Property' && isPattern(node.key) ? textOf(source, node.value) : undefined
  return pattern === undefined ? undefined : { node, pattern, flags: '' }
}

function isPattern(key: Node): boolean {
  return key.type === 'Identifier' && key.name === 'pattern'
}

/** Replacements for text that is only known at run time: escaped names, and numbers. */
const ANY_WORD = 'name'
const ANY_NUMBER = '32'

/** Returns a constant text, with a word or a number for each part that is not a constant of this file. */
function textOf(source: Source, node: Node): string | undefined {
  if (node.type === 'Literal') return 'regex' in node ? node.regex.pattern : String(node.value)
  if (node.type === 'TemplateLiteral') return templateOf(source, node)
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return `${textOf(source, node.left) ?? ANY_WORD}${textOf(source, node.right) ?? ANY_WORD}`
  if (node.type === 'MemberExpression') return textOf(source, node.object)
  if (node.type === 'TaggedTemplateExpression') return templateOf(source, node.quasi)
  if (node.type !== 'Identifier') return undefined
  const declared = source.places.find(
    (place) =>
      place.node.type === 'VariableDeclarator' &&
      place.node.id.type === 'Identifier' &&
      place.node.id.name === node.name,
  )?.node
  return declared?.type === 'VariableDeclarator' && declared.init !== null
    ? textOf(source, declared.init)
    : undefined
}

function templateOf(source: Source, node: Extract<Node, { type: 'TemplateLiteral' }>): string {
  return node.quasis.reduce((text, quasi, index) => {
    const value = node.expressions[index]
    const written = text + (quasi.value.cooked ?? quasi.value.raw)
    if (value === undefined) return written
    return written + (textOf(source, value) ?? (/\{(?:\d*,)?$/.test(written) ? ANY_NUMBER : ANY_WORD))
  }, '')
}
