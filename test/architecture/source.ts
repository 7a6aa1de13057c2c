import { type ESTree, parseSync } from 'rolldown/utils'

export type Node = ESTree.Node

/** A node with its ancestors. */
export interface Place {
  node: Node
  parent: Place | undefined
}

/** One parsed file. `places` lists its whole tree once, outermost first, so that rules loop over it instead of walking a tree. */
export interface Source {
  path: string
  text: string
  places: readonly Place[]
  errors: readonly string[]
  lineStarts: readonly number[]
}

export interface Violation {
  path: string
  line: number
  message: string
}

const CODE = /^(packages|apps|bench|chaos|e2e|bin|test)\/.*\.tsx?$/

export function isCode(path: string): boolean {
  return CODE.test(path)
}

/** Returns true for tests and their fixtures, to which only the rules on budgets apply. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /(^|\/)(test|examples)\//.test(path)
}

export function parseSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  const lineStarts = [0, ...Array.from(text.matchAll(/\n/g), (match) => match.index + 1)]
  const places: Place[] = []
  if (errors.length === 0) collectPlaces(program, undefined, places)
  return { path, text, places, errors: errors.map((error) => error.message), lineStarts }
}

export function lineOf(source: Source, offset: number): number {
  const next = source.lineStarts.findIndex((start) => start > offset)
  return next === -1 ? source.lineStarts.length : next
}

export function violationAt(source: Source, node: Node, message: string): Violation {
  return { path: source.path, line: lineOf(source, node.start), message }
}

/** Yields the ancestors of `place`, innermost first. */
export function* ancestorsOf(place: Place): Generator<Place> {
  for (let above = place.parent; above; above = above.parent) yield above
}

/** Collects the node in `value`, or the nodes in a list, each with all nodes below it. */
function collectPlaces(value: unknown, parent: Place | undefined, places: Place[]): void {
  if (Array.isArray(value)) {
    for (const each of value) collectPlaces(each, parent, places)
    return
  }
  if (!isNode(value)) return
  const place = { node: value, parent }
  places.push(place)
  for (const field of Object.values(value)) collectPlaces(field, place, places)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
