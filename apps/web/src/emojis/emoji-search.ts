import type { Emoji } from './emoji-data.ts'

/** More than fit on any screen. */
const MAX_FOUND = 160

/** Behind what is called so and nothing else, before what has more words. */
const NAMED = 0.015

/** The emojis that have such a name, or whose label or tags have words that begin like all of the query, the nearest first. */
export function searchEmojis(emojis: readonly Emoji[], query: string): Emoji[] {
  const asked = wordsOf(query)
  if (asked.length === 0) return []
  const name = nameOf(query)
  return emojis
    .map((emoji) => ({ emoji, distance: Math.min(distanceOf(emoji, asked), nameDistance(emoji, name)) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_FOUND)
    .map(({ emoji }) => emoji)
}

/** The one that is called this between colons. */
export function findNamed(emojis: readonly Emoji[], name: string): Emoji | undefined {
  return emojis.find(({ names }) => names.includes(name.toLowerCase()))
}

/** Those with this in their name, which has no words. */
export function searchNames<T extends { readonly name: string }>(images: readonly T[], query: string): T[] {
  const asked = nameOf(query)
  const found = images.filter(({ name }) => name.toLowerCase().includes(asked))
  const starts = ({ name }: T) => (name.toLowerCase().startsWith(asked) ? 0 : 1)
  return found.sort((a, b) => starts(a) - starts(b))
}

/**
 * The sum over the words of the query: a word of the label before a tag, a whole one before its beginning. Of two that are
 * as near, the plainer one: the red heart before the face with heart-eyes.
 */
function distanceOf({ label, tags }: Emoji, asked: readonly string[]): number {
  const ofLabel = wordsOf(label)
  const ofTags = tags.flatMap(wordsOf)
  const plainness = ofLabel.length / 100
  return asked.reduce((sum, word) => sum + wordDistance(word, ofLabel, ofTags), plainness)
}

function nameDistance({ names }: Emoji, asked: string): number {
  if (names.includes(asked)) return NAMED
  return names.some((name) => name.startsWith(asked)) ? 3 : Number.POSITIVE_INFINITY
}

/** A name has no spaces. */
function nameOf(query: string): string {
  return query.trim().toLowerCase().replaceAll(/\s+/g, '_')
}

function wordDistance(asked: string, ofLabel: readonly string[], ofTags: readonly string[]): number {
  if (ofLabel.includes(asked)) return 0
  if (ofTags.includes(asked)) return 1
  if (ofLabel.some((word) => word.startsWith(asked))) return 2
  return ofTags.some((word) => word.startsWith(asked)) ? 3 : Number.POSITIVE_INFINITY
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}+]+/u)
    .filter((word) => word !== '')
}
