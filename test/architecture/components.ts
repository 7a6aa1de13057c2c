import { ancestorsOf, type Node, type Place, type Source } from './source.ts'

/** Returns the React components of a file: capitalized functions of a .tsx file that return JSX. */
export function componentsOf(source: Source): Set<Node> {
  if (!source.path.endsWith('.tsx')) return new Set()
  const owners = source.places
    .filter(({ node }) => node.type === 'JSXElement' || node.type === 'JSXFragment')
    .map(returningFunction)
  return new Set(
    owners
      .filter((owner) => owner !== undefined)
      .filter(isCapitalised)
      .map(({ node }) => node),
  )
}

/** Finds the function that returns this JSX. Returns undefined if the JSX is assigned to a variable instead. */
function returningFunction(jsx: Place): Place | undefined {
  let returned = false
  for (const above of ancestorsOf(jsx)) {
    const { node } = above
    returned ||= node.type === 'ReturnStatement'
    if (node.type === 'ArrowFunctionExpression') return returned || node.expression ? above : undefined
    if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression')
      return returned ? above : undefined
  }
  return undefined
}

/** Checks the function's own name, or the name of the constant that holds it, directly or through a call such as memo(). */
function isCapitalised(place: Place): boolean {
  const { node } = place
  if ('id' in node && node.id?.type === 'Identifier') return /^[A-Z]/.test(node.id.name)
  const holder = place.parent?.node.type === 'CallExpression' ? place.parent.parent?.node : place.parent?.node
  return (
    holder?.type === 'VariableDeclarator' && holder.id.type === 'Identifier' && /^[A-Z]/.test(holder.id.name)
  )
}
