import { setImmediate as nextTurn } from 'node:timers/promises'
import { Message } from '@foyer/protocol/messages'
import { User } from '@foyer/protocol/users'
import { type TSchema, Type } from 'typebox'
import { serializerOf } from '#src/kernel/http/serialization.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Messages already encoded by `encodeMessages`. */
export const EncodedMessages = Type.Unsafe<string | Buffer>(Type.Array(Message))

/** Characters encoded per turn of the event loop. Most pages have fewer. */
const TURN_CHARACTERS = 64 * 1024

/** An empty list as `serializerOf` writes it. Message text cannot contain it, because quotes in text are escaped. */
const NO_MENTIONS = '"mentions":[]'
const NO_MESSAGES = '"messages":[]'

/** Encodes a list of messages to JSON by its schema. A long list yields to the event loop between pieces. */
export async function encodeMessages(messages: readonly Message[]): Promise<string | Buffer> {
  return encodeBetween('', messages, '')
}

/** Encodes a page that has more fields than its messages. */
export async function encodePage<Page extends { messages: readonly Message[] }>(
  schema: TSchema,
  page: Page,
): Promise<string | Buffer> {
  const [before = '', after = ''] = serializerOf(schema)({ ...page, messages: [] }).split(NO_MESSAGES)
  return encodeBetween(`${before}"messages":`, page.messages, after)
}

async function encodeBetween(
  before: string,
  messages: readonly Message[],
  after: string,
): Promise<string | Buffer> {
  const users = new EncodedUsers()
  const pieces: Buffer[] = []
  let text = `${before}[`
  for (const [index, message] of messages.entries()) {
    text += (index === 0 ? '' : ',') + encodeMessage(message, users)
    if (text.length < TURN_CHARACTERS) continue
    pieces.push(Buffer.from(text))
    text = ''
    await nextTurn()
  }
  text += `]${after}`
  return pieces.length === 0 ? text : Buffer.concat([...pieces, Buffer.from(text)])
}

/**
 * Encodes each mentioned user once per page: a message may mention a hundred users, and a page may have a hundred such
 * messages.
 */
class EncodedUsers {
  readonly #known = new Map<User, string>()

  list(users: readonly User[]): string {
    return `"mentions":[${users.map((user) => this.#encode(user)).join()}]`
  }

  #encode(user: User): string {
    const known = this.#known.get(user) ?? serializerOf(User)(user)
    this.#known.set(user, known)
    return known
  }
}

/**
 * Encodes a message without mentions, then inserts the users. In the schema, the message's mentions come before the
 * mentions of the replied message.
 */
function encodeMessage(message: Message, users: EncodedUsers): string {
  const { mentions, referenced_message: answered } = message
  const lists = [mentions, answered?.mentions ?? []]
  const encode = serializerOf(Message)
  if (lists.every(({ length }) => length === 0)) return encode(message)
  const bare = encode({
    ...message,
    mentions: [],
    referenced_message: answered && { ...answered, mentions: [] },
  })
  const [first = '', ...rest] = bare.split(NO_MENTIONS)
  return rest.reduce((text, part, index) => text + users.list(lists[index] ?? []) + part, first)
}
