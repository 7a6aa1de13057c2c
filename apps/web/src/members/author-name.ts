import type { Message } from '@foyer/protocol/messages'
import type { NameLookup } from '#src/store/selectors.ts'

/** Returns the id that picks the default avatar of a webhook: its name, because it has no account. */
export function avatarIdOfWebhook(name: string): string {
  return `webhook ${name}`
}

/** Returns the name of a message's author; for webhooks, the name given in the message. */
export function nameOfAuthor(
  { author, member, webhook_id }: Pick<Message, 'author' | 'member' | 'webhook_id'>,
  nameOf: NameLookup,
): string {
  return webhook_id === null ? nameOf(author, member) : (author.alias ?? author.username)
}
