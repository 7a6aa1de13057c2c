import type { RouteOptions } from 'fastify'
import { pathOf } from './server-paths.ts'

/** Route of the web client, which answers GET on every other path. It is ignored, because it matches unknown paths. */
const EVERY_PATH = '/*'

interface KnownPath {
  parts: readonly string[]
  methods: Set<string>
}

/** Knows the methods of each path, to distinguish a wrong method from an unknown path. */
export class KnownMethods {
  readonly #paths = new Map<string, KnownPath>()

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    if (url === EVERY_PATH) return
    const known = this.#paths.get(url) ?? { parts: url.split('/'), methods: new Set() }
    this.#paths.set(url, known)
    for (const name of typeof method === 'string' ? [method] : method) known.methods.add(name)
  }

  /** Returns the methods of an address in alphabetical order; none if no route has its path. */
  of(address: string): string[] {
    const parts = pathOf(address).split('/')
    const here = [...this.#paths.values()].filter((known) => isAt(known.parts, parts))
    return [...new Set(here.flatMap(({ methods }) => [...methods]))].sort()
  }
}

function isAt(pattern: readonly string[], parts: readonly string[]): boolean {
  const isOpen = pattern.at(-1) === '*'
  if (isOpen ? parts.length < pattern.length : parts.length !== pattern.length) return false
  const isPart = (expected: string, at: number) =>
    expected === '*' || (expected.startsWith(':') ? parts[at] !== '' : parts[at] === expected)
  return pattern.every(isPart)
}
