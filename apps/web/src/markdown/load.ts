import { useSyncExternalStore } from 'react'
import type { Block, Parse } from './nodes.ts'

/** So many texts are kept as they were read: more than are on any screen, and all of those that one scrolls to and fro. */
const MAX_KEPT = 600

const kept = new Map<string, readonly Block[]>()
const waiting = new Set<() => void>()
let parse: Parse | null = null

// 120 kB (44 compressed). It is on its way before the first messages are.
import('./parser.ts').then(
  (module) => {
    parse = module.parse
    for (const changed of waiting) changed()
  },
  // Without it texts are read as they are written.
  () => undefined,
)

/** What a text shows. Until the parser is there, and without it, that is the text as it is. */
export function useBlocks(text: string): readonly Block[] {
  const isHere = useSyncExternalStore(subscribe, () => parse !== null)
  return isHere ? blocksOf(text) : plainBlocks(text)
}

function subscribe(changed: () => void): () => void {
  waiting.add(changed)
  return () => waiting.delete(changed)
}

function blocksOf(text: string): readonly Block[] {
  const known = kept.get(text)
  if (known !== undefined) return known
  const blocks = parse?.(text) ?? plainBlocks(text)
  const oldest = kept.size < MAX_KEPT ? undefined : kept.keys().next().value
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(text, blocks)
  return blocks
}

function plainBlocks(text: string): readonly Block[] {
  return [{ gap: 0, kind: 'paragraph', children: [{ kind: 'text', text }] }]
}
