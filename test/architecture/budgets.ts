import { componentsOf } from './components.ts'
import { type Rule, sourceRule } from './rule.ts'
import { ancestorsOf, lineOf, type Node, type Place, type Source, violationAt } from './source.ts'

const MAX_FILE_LINES = 300
const MAX_FUNCTION_LINES = 50
const MAX_COMPONENT_LINES = 150
const MAX_NESTING = 2
const MAX_PARAMETERS = 4

export const fileLength = sourceRule(`a file has at most ${MAX_FILE_LINES} lines`, (source) => {
  const lines = source.text.replace(/\n$/, '').split('\n').length
  if (lines <= MAX_FILE_LINES) return []
  return [{ path: source.path, line: MAX_FILE_LINES + 1, message: `${lines} lines: move one concept out` }]
})

export const functionLength = sourceRule(
  `a function has at most ${MAX_FUNCTION_LINES} lines, a React component ${MAX_COMPONENT_LINES}`,
  (source) => {
    const components = componentsOf(source)
    return source.places.flatMap((place) => {
      if (!isFunction(place.node) || isSuite(source, place)) return []
      const lines = lineOf(source, place.node.end) - lineOf(source, place.node.start) + 1
      const budget = components.has(place.node) ? MAX_COMPONENT_LINES : MAX_FUNCTION_LINES
      return lines > budget
        ? [violationAt(source, place.node, `${lines} lines of ${budget}: name its steps`)]
        : []
    })
  },
)

export const nesting = sourceRule(`control flow nests at most ${MAX_NESTING} deep in a function`, (source) =>
  source.places
    .filter((place) => isControlFlow(place) && depthOf(place) === MAX_NESTING + 1)
    .map(({ node }) =>
      violationAt(source, node, 'nested too deep: guard at the top, or name the inner step'),
    ),
)

export const parameters = sourceRule(`a function takes at most ${MAX_PARAMETERS} parameters`, (source) =>
  source.places.flatMap(({ node }) => {
    const count = isFunction(node) ? node.params.filter((parameter) => !isThis(parameter)).length : 0
    return count > MAX_PARAMETERS ? [violationAt(source, node, `${count} parameters: pass one object`)] : []
  }),
)

export const budgetRules: readonly Rule[] = [fileLength, functionLength, nesting, parameters]

const CONTROL_FLOW: readonly Node['type'][] = [
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
]

type CodeFunction = Extract<Node, { type: 'FunctionDeclaration' | 'ArrowFunctionExpression' }>

function isFunction(node: Node): node is CodeFunction {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  )
}

/** Returns true for a callback of describe() or suite() in a test file: a list of tests, each with its own budget. */
function isSuite(source: Source, { parent }: Place): boolean {
  if (!/\.test\.tsx?$/.test(source.path) || parent?.node.type !== 'CallExpression') return false
  const { callee } = parent.node
  const subject = callee.type === 'MemberExpression' ? callee.object : callee
  return subject.type === 'Identifier' && ['describe', 'suite'].includes(subject.name)
}

function isControlFlow(place: Place): boolean {
  return CONTROL_FLOW.includes(place.node.type) && !isElseIf(place)
}

function isElseIf({ node, parent }: Place): boolean {
  return node.type === 'IfStatement' && parent?.node.type === 'IfStatement' && parent.node.alternate === node
}

function depthOf(place: Place): number {
  let depth = 1
  for (const above of ancestorsOf(place)) {
    if (isFunction(above.node)) return depth
    if (isControlFlow(above)) depth += 1
  }
  return depth
}

function isThis(parameter: Node): boolean {
  return parameter.type === 'Identifier' && parameter.name === 'this'
}
