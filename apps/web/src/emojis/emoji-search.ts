import type { Emoji } from './emoji-data.ts'

/** Maximum number of search results: more than fit on any screen. */
const MAX_FOUND = 160

/** Distance of an exact shortcode match. It ranks after labels of only that word, and before longer labels. */
const NAMED = 0.015

/** Returns emojis whose shortcode matches, or whose label and tags match all words of the query, best match first. */
export function searchEmojis(emojis: readonly Emoji[], query: string): Emoji[] {
  const wanted = wordsOf(query)
  if (wanted.length === 0) return []
  const name = nameOf(query)
  return emojis
    .map((emoji) => ({ emoji, distance: Math.min(distanceOf(emoji, wanted), nameDistance(emoji, name)) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_FOUND)
    .map(({ emoji }) => emoji)
}

/** Returns the emoji with a shortcode. */
export function findNamed(emojis: readonly Emoji[], name: string): Emoji | undefined {
  return emojis.find(({ names }) => names.includes(name.toLowerCase()))
}

/** Returns the images whose name contains the query. Names are not split into words. */
export function searchNames<T extends { readonly name: string }>(images: readonly T[], query: string): T[] {
  const wanted = nameOf(query)
  const found = images.filter(({ name }) => name.toLowerCase().includes(wanted))
  const starts = ({ name }: T) => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return found.sort((a, b) => starts(a) - starts(b))
}

/**
 * Sums the distances of the query's words. Label words rank before tags, whole words before prefixes. Among equals, the
 * shorter label ranks first: the red heart before the face with heart-eyes.
 */
function distanceOf({ label, tags }: Emoji, wanted: readonly string[]): number {
  const ofLabel = wordsOf(label)
  const ofTags = tags.flatMap(wordsOf)
  const plainness = ofLabel.length / 100
  return wanted.reduce((sum, word) => sum + wordDistance(word, ofLabel, ofTags), plainness)
}

function nameDistance({ names }: Emoji, wanted: string): number {
  if (names.includes(wanted)) return NAMED
  return names.some((name) => name.startsWith(wanted)) ? 3 : Number.POSITIVE_INFINITY
}

/** Shortcodes have underscores for spaces. */
function nameOf(query: string): string {
  return query.trim().toLowerCase().replaceAll(/\s+/g, '_')
}

function wordDistance(wanted: string, ofLabel: readonly string[], ofTags: readonly string[]): number {
  if (ofLabel.includes(wanted)) return 0
  if (ofTags.includes(wanted)) return 1
  if (ofLabel.some((word) => word.startsWith(wanted))) return 2
  return ofTags.some((word) => word.startsWith(wanted)) ? 3 : Number.POSITIVE_INFINITY
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}+]+/u)
    .filter((word) => word !== '')
}
