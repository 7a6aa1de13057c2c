import { limits } from '@foyer/protocol/limits'
import { httpUrl } from './values.ts'

/** Links per message that get a preview. */
const MAX_LINKS = 5

const CODE = /```[\s\S]*?(?:```|$)|``[^\n]*?``|`[^`\n]*`/g
/** Spoilers and links in angle brackets get no preview. */
const HIDDEN = /\|\|[\s\S]*?\|\||<https?:\/\/[^\s<>]*>/gi
const LINK = /\bhttps?:\/\/[^\s<>"`|\\^{}]+/gi
const TRAILING = /[.,:;!?'"*_~)\]]/

/** Returns the links of a text that may have a preview, in order, without duplicates. */
export function findLinks(content: string): string[] {
  if (!content.includes('://')) return []
  const plain = content.replace(CODE, ' ').replace(HIDDEN, ' ')
  const found = new Set<string>()
  for (const [match] of plain.matchAll(LINK)) {
    const link = withoutPunctuation(match)
    if (httpUrl(link) !== null && link.length <= limits.urlMax) found.add(link)
    if (found.size === MAX_LINKS) break
  }
  return [...found]
}

/** Removes trailing punctuation, and closing brackets that were opened before the link. */
function withoutPunctuation(match: string): string {
  let end = match.length
  // Counted before the loop, not for each bracket: four thousand brackets would otherwise cost a tenth of a second.
  let surplus = countOf(')', match) - countOf('(', match)
  while (end > 0 && TRAILING.test(match.charAt(end - 1))) {
    const closes = match.charAt(end - 1) === ')'
    if (closes && surplus <= 0) break
    if (closes) surplus -= 1
    end -= 1
  }
  return match.slice(0, end)
}

function countOf(character: string, text: string): number {
  return text.split(character).length - 1
}
