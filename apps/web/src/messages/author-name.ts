import type { Message } from '@foyer/protocol/messages'
import type { NameLookup } from '#src/store/selectors.ts'

/** What the picture of a webhook without one is chosen by: no account is behind it, and its names change. */
export function avatarIdOfWebhook(name: string): string {
  return `webhook ${name}`
}

/** What the author is called there; a webhook is called what its message says. */
export function nameOfAuthor(
  { author, member, webhook_id }: Pick<Message, 'author' | 'member' | 'webhook_id'>,
  nameOf: NameLookup,
): string {
  return webhook_id === null ? nameOf(author, member) : (author.alias ?? author.username)
}
