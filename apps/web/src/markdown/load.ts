import type { Block, Parse } from '@foyer/markdown/nodes'
import { useSyncExternalStore } from 'react'

/** Maximum number of parsed texts in the cache: more than fit on a screen, so that scrolling back does not parse again. */
const MAX_CACHED = 600

const cache = new Map<string, readonly Block[]>()
const subscribers = new Set<() => void>()
let parse: Parse | null = null

// The parser has 120 kB (44 kB compressed). Its download starts before the first messages are fetched.
import('@foyer/markdown/parser').then(
  (module) => {
    parse = module.parse
    for (const changed of subscribers) changed()
  },
  // Without the parser, messages are shown as plain text.
  () => undefined,
)

/** Returns the parsed text, or the plain text until the parser has loaded. */
export function useBlocks(text: string): readonly Block[] {
  const isHere = useSyncExternalStore(subscribe, () => parse !== null)
  return isHere ? blocksOf(text) : plainBlocks(text)
}

function subscribe(changed: () => void): () => void {
  subscribers.add(changed)
  return () => subscribers.delete(changed)
}

function blocksOf(text: string): readonly Block[] {
  const known = cache.get(text)
  if (known !== undefined) return known
  const blocks = parse?.(text) ?? plainBlocks(text)
  const oldest = cache.size < MAX_CACHED ? undefined : cache.keys().next().value
  if (oldest !== undefined) cache.delete(oldest)
  cache.set(text, blocks)
  return blocks
}

function plainBlocks(text: string): readonly Block[] {
  return [{ gap: 0, kind: 'paragraph', children: [{ kind: 'text', text }] }]
}
