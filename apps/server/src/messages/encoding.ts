import { setImmediate as nextTurn } from 'node:timers/promises'
import { Message } from '@foyer/protocol/messages'
import { User } from '@foyer/protocol/users'
import { type TSchema, Type } from 'typebox'
import { serializerOf } from '#src/kernel/http/serialization.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Messages that `encodeMessages` has encoded. */
export const EncodedMessages = Type.Unsafe<string | Buffer>(Type.Array(Message))

/** Characters encoded in one turn of the event loop. Usual pages have fewer. */
const TURN_CHARACTERS = 64 * 1024

/** As `serializerOf` writes an empty list. No text has it: in a text, quotation marks are escaped. */
const NO_MENTIONS = '"mentions":[]'
const NO_MESSAGES = '"messages":[]'

/** JSON of a list of messages, as the schema has it. Of a long one in pieces, between which other work gets its turn. */
export async function encodeMessages(messages: readonly Message[]): Promise<string | Buffer> {
  return encodeBetween('', messages, '')
}

/** JSON of a page that has messages and more. */
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

/** Users that a page mentions, each encoded once: a message may mention a hundred, and a page have a hundred such messages. */
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

/** The own mentions come before those of the message that is answered, as in the schema. */
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
