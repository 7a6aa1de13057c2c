import { nodeRule, type Rule, sourceRule } from './rule.ts'
import {
  ancestorsOf,
  isTest,
  type Node,
  type Place,
  type Source,
  type Violation,
  violationAt,
} from './source.ts'

const WEB = 'apps/web/src/'

/** Attributes with text for people. */
const READ = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'description',
  'heading',
  'hint',
  'label',
  'lead',
  'nobody',
  'note',
  'placeholder',
  'title',
]

/** Names that are never translated. */
const NAMES = ['Foyer']

/** A call of `t` or `counted`, with its texts. */
export interface TextCall {
  call: Node
  /** Texts in the call; undefined for arguments that are not literals. */
  texts: readonly (string | undefined)[]
  /** The text's name in the catalogues. */
  name: string | undefined
  isCounted: boolean
}

export const readTextsAreTranslated = sourceRule(
  'texts of the web client go through t, counted or RichText',
  (source) => (isWeb(source) ? source.places.flatMap(({ node }) => plainTextsIn(source, node)) : []),
)

export const textsAreLiterals = sourceRule('the names of texts are literals', (source) =>
  isWeb(source)
    ? textCallsIn(source)
        .filter(({ texts }) => texts.includes(undefined))
        .map(({ call }) =>
          violationAt(source, call, 'write the text out: catalogues are held against the source'),
        )
    : [],
)

export const localesArePassed: Rule = nodeRuleOfWeb(
  'times, numbers and lists are written by locale()',
  (node) =>
    isMadeOfIntl(node) && !isLocale(node.arguments[0])
      ? 'the first argument of Intl is locale() of language/texts.ts'
      : undefined,
)

/** Needed because V8 takes up to 40 ms to create the first formatter of a kind. */
export const formatsAreMadeLate = sourceRule(
  'formatters of times, numbers and lists are created on first use',
  (source) =>
    isWeb(source)
      ? source.places
          .filter((place) => isMadeOfIntl(place.node) && !isInFunction(place))
          .map(({ node }) => violationAt(source, node, 'make it lazily(), of language/formats.ts'))
      : [],
)

export const textRules: readonly Rule[] = [
  readTextsAreTranslated,
  textsAreLiterals,
  localesArePassed,
  formatsAreMadeLate,
]

/** Matches the sources of the web client, which may contain texts for users. */
export function isWeb({ path }: Source): boolean {
  return path.startsWith(WEB) && !isTest(path) && path !== `${WEB}language/texts.ts`
}

/** Finds every call of `t` and `counted`. */
export function textCallsIn(source: Source): TextCall[] {
  return source.places.flatMap(({ node }) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return []
    const isCounted = node.callee.name === 'counted'
    if (!isCounted && node.callee.name !== 't') return []
    const texts = (isCounted ? node.arguments.slice(1, 3) : node.arguments.slice(0, 1)).map(textOf)
    return [{ call: node, texts, name: texts.at(-1), isCounted }]
  })
}

function nodeRuleOfWeb(name: string, find: (node: Node) => string | undefined): Rule {
  const rule = nodeRule(name, find)
  return { name, check: (tree) => rule.check({ ...tree, sources: tree.sources.filter(isWeb) }) }
}

function plainTextsIn(source: Source, node: Node): Violation[] {
  return plainTexts(node)
    .filter((text) => isRead(text.value))
    .map((text) => violationAt(source, text.node, `“${text.value.trim()}” has no translation: write t('…')`))
}

interface Plain {
  node: Node
  value: string
}

function plainTexts(node: Node): Plain[] {
  if (node.type === 'JSXText') return [{ node, value: node.value }]
  if (node.type === 'JSXExpressionContainer' || node.type !== 'JSXAttribute') return childTexts(node)
  const name = node.name.type === 'JSXIdentifier' ? node.name.name : ''
  return READ.includes(name) && node.value !== null ? literalsOf(node.value) : []
}

/** Returns the literals in braces among the children of an element, as in `{isOn ? 'on' : 'off'}`. */
function childTexts(node: Node): Plain[] {
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return []
  return node.children.flatMap((child) => (child.type === 'JSXExpressionContainer' ? literalsOf(child) : []))
}

/** Returns the literals that the expression can evaluate to, without literals in comparisons. */
function literalsOf(node: Node): Plain[] {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ node, value: node.value }] : []
    case 'TemplateLiteral':
      return node.quasis.map((quasi) => ({ node: quasi, value: quasi.value.raw }))
    case 'JSXExpressionContainer':
      return literalsOf(node.expression)
    case 'ConditionalExpression':
      return [...literalsOf(node.consequent), ...literalsOf(node.alternate)]
    case 'LogicalExpression':
      return [...literalsOf(node.left), ...literalsOf(node.right)]
    default:
      return []
  }
}

/** Matches text with words, except names and addresses such as `s3.example.org`. */
function isRead(text: string): boolean {
  const words = text.trim()
  if (NAMES.includes(words) || /^\S*[.:/-]\S*$/.test(words)) return false
  return /\p{L}{2}/u.test(words)
}

function textOf(node: Node | undefined): string | undefined {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function isMadeOfIntl(node: Node): node is Extract<Node, { type: 'NewExpression' }> {
  if (node.type !== 'NewExpression' || node.callee.type !== 'MemberExpression') return false
  const { object } = node.callee
  return object.type === 'Identifier' && object.name === 'Intl'
}

function isInFunction(place: Place): boolean {
  return ancestorsOf(place).some(({ node }) => /Function/.test(node.type))
}

/** Matches a call of locale(), which numbers require, too. */
function isLocale(node: Node | undefined): boolean {
  return node?.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'locale'
}
