/**
 * Roles of UTF-16 units. shown: text. mark: a Markdown character. mention: a mention or custom emoji. target: the
 * hidden part of a link.
 */
export const Role = { shown: 0, mark: 1, mention: 2, target: 3 } as const

const ANY = /[*_~`|\\[\]<]/
/** Markdown characters that can appear within a word. */
const MARKS = new Set(Array.from('*_~`|\\[]', (mark) => mark.charCodeAt(0)))
const MENTION = /<(?:@&?|#|:\w{1,40}:)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}>/gi

/** Returns the role of each UTF-16 unit, and undefined for a text without any markup. */
export function findMarkup(text: string): Uint8Array | undefined {
  if (!ANY.test(text)) return undefined
  const roles = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) if (MARKS.has(text.charCodeAt(at))) roles[at] = Role.mark
  markTargets(text, roles)
  if (!text.includes('<')) return roles
  for (const { index, 0: mention } of text.matchAll(MENTION))
    roles.fill(Role.mention, index, index + mention.length)
  return roles
}

/** Returns whether a text has Markdown marks, which may be inside a word. */
export function hasMarks(roles: Uint8Array): boolean {
  return roles.includes(Role.mark)
}

/** Gives the role `target` to `(https://…)` after a `]`, including all `)` that directly follow. */
function markTargets(text: string, roles: Uint8Array): void {
  let start = text.indexOf('](')
  while (start !== -1) {
    const close = text.indexOf(')', start)
    if (close === -1) return
    let end = close + 1
    while (text.charAt(end) === ')') end += 1
    roles.fill(Role.target, start + 1, end)
    start = text.indexOf('](', end)
  }
}
