/** Whom a text names, each once, in the order of their first mention. */
export interface FoundMentions {
  userIds: string[]
  roleIds: string[]
  everyone: boolean
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Code first, so that what stands in it is passed over. What opens a code block or a span and is not closed is text. */
const TOKENS = new RegExp(
  `\`\`\`[\\s\\S]*?\`\`\`|(?<!\`)(\`+)(?!\`)(?:(?!\\1(?!\`))[\\s\\S])*?(?<!\`)\\1(?!\`)|<@(&?)(${UUID})>|@(everyone|here)(?![A-Za-z0-9_])`,
  'g',
)

/** Whether a text may name anybody: most do not, and need no closer look. */
export function mayMention(content: string): boolean {
  return content.includes('<@') || content.includes('@everyone') || content.includes('@here')
}

/** The mentions in a message's text: `<@user>`, `<@&role>`, `@everyone` and `@here`, but none in code. */
export function findMentions(content: string): FoundMentions {
  const [users, roles] = [new Set<string>(), new Set<string>()]
  let everyone = false
  if (!mayMention(content)) return { userIds: [], roleIds: [], everyone }
  for (const [, , isRole, id, word] of content.matchAll(TOKENS)) {
    if (word !== undefined) everyone = true
    else if (id !== undefined) (isRole === '&' ? roles : users).add(id)
  }
  return { userIds: [...users], roleIds: [...roles], everyone }
}
