import { type Rule, sourceRule } from './rule.ts'
import { ancestorsOf, type Node, type Place, type Source, violationAt } from './source.ts'

/**
 * `await using` disposes at the end of its block, without waiting for a returned promise. The files of a multipart body, for
 * example, would be deleted before they are stored.
 */
export const awaitedReturns = sourceRule('a promise returned beside `await using` is awaited', (source) =>
  source.places
    .filter((place) => returnsCall(place.node) && isBesideUsing(source, place))
    .map(({ node }) => violationAt(source, node, 'write `return await`: `await using` disposes first')),
)

export const disposalRules: readonly Rule[] = [awaitedReturns]

function returnsCall(node: Node): boolean {
  return (
    node.type === 'ReturnStatement' &&
    node.argument?.type === 'CallExpression' &&
    !isOfReply(node.argument.callee)
  )
}

/** Matches calls on `reply`, such as `reply.code(204).send(null)`, which send a value that is complete. */
function isOfReply(callee: Node): boolean {
  if (callee.type === 'CallExpression') return isOfReply(callee.callee)
  if (callee.type === 'MemberExpression') return isOfReply(callee.object)
  return callee.type === 'Identifier' && callee.name === 'reply'
}

/** Returns true if an `await using` precedes the node, in a block around the node within the same function. */
function isBesideUsing(source: Source, place: Place): boolean {
  const around = [...ancestorsOf(place)]
  const end = around.findIndex(({ node }) => isFunction(node))
  const blocks = around.slice(0, end).map(({ node }) => node)
  return source.places.some(
    ({ node, parent }) =>
      isAwaitUsing(node) && node.start < place.node.start && blocks.includes(parent?.node ?? node),
  )
}

function isAwaitUsing(node: Node): boolean {
  return node.type === 'VariableDeclaration' && node.kind === 'await using'
}

function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression'
}
