/**
 * What the build gives the parser in place of libraries that it brings for rules which chats have none of: 35 kB of tables
 * of entities, of punctuation and of top-level domains. The tests, in Node, read with the libraries themselves.
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

/** In the address of a link alone: elsewhere, what is written is what is shown. */
export function decodeHTMLStrict(entity: string): string {
  return ENTITIES[entity] ?? entity
}

/** Addresses are found by a rule of our own. */
export class LinkifyIt {}

// Addresses are linked to as they are written: what would take them apart is never asked.
export const parse = whole
export const format = whole
export const encode = whole
export const decode = Object.assign(whole, { defaultChars: '' })
export default { toASCII: whole, toUnicode: whole }

function whole(address: string): string {
  return address
}
