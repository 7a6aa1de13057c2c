import { Capability } from './capabilities.ts'
import { has, Permission, type RightFlags } from './permissions.ts'

/** Mentions of a text, each once, in order of their first occurrence. */
export interface FoundMentions {
  userIds: string[]
  roleIds: string[]
  everyone: boolean
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Matches code and mentions. Code comes first, so that mentions in it are skipped. Unclosed code is text. */
const TOKENS = new RegExp(
  `\`\`\`[\\s\\S]*?\`\`\`|(?<!\`)(\`+)(?!\`)(?:(?!\\1(?!\`))[\\s\\S])*?(?<!\`)\\1(?!\`)|<@(&?)(${UUID})>|@(everyone|here)(?![A-Za-z0-9_])`,
  'g',
)

/** Returns whether a text may contain mentions. Most texts do not, and need no parsing. */
export function mayMention(content: string): boolean {
  return content.includes('<@') || content.includes('@everyone') || content.includes('@here')
}

/** Returns true if @everyone mentions everyone when a user with these rights in the channel writes it. */
export function mayMentionEveryone({ permissions, capabilities }: RightFlags): boolean {
  return has(capabilities, Capability.MentionEveryone) || has(permissions, Permission.ManageMessages)
}

/** Returns the mentions in a message's text: `<@user>`, `<@&role>`, `@everyone` and `@here`, except in code. */
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
