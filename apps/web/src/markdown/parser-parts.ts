/**
 * Replaces dependencies of markdown-it in the build. They bring 35 kB of tables of entities, punctuation and top-level
 * domains for rules that Foyer does not enable. The tests use the original libraries.
 */

export const P = /\p{P}/u
export const S = /\p{S}/u

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

/** Used only for URLs of links. Entities elsewhere are shown as written. */
export function decodeHTMLStrict(entity: string): string {
  return ENTITIES[entity] ?? entity
}

/** Unused: the rule `address` finds URLs. */
export class LinkifyIt {}

// URLs are linked as written, so these are never called.
export const parse = whole
export const format = whole
export const encode = whole
export const decode = Object.assign(whole, { defaultChars: '' })
export default { toASCII: whole, toUnicode: whole }

function whole(address: string): string {
  return address
}
