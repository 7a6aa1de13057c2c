import type { Embed, EmbedMedia } from '@foyer/protocol/embeds'
import type { Names } from '#src/web/web-pages/making/text.ts'

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Matches mentions and custom emojis, even in code, because ids must not leave the server. */
const WITH_ID = new RegExp(`<(@&?|#)(${UUID})>|<:(\\w{2,32}):${UUID}>`, 'g')

/**
 * Replaces the mentions and custom emojis of a Markdown text with the names that pages show.
 * @param maxCharacters if the text would be longer, words like "a member" are used instead of names. They are shorter than
 * ids, so the text never becomes longer than it was
 */
export function withoutIds(text: string, names: Names, maxCharacters: number): string {
  const named = replaceIds(text, names)
  if (named === text || Array.from(named).length <= maxCharacters) return named
  const nobody = { words: names.words, user: unnamed, role: unnamed, room: unnamed }
  return replaceIds(text, nobody)
}

const unnamed = () => undefined

function replaceIds(text: string, names: Names): string {
  return text.replaceAll(WITH_ID, (_, kind: string | undefined, id: string, emoji: string) =>
    kind === undefined ? `:${emoji}:` : `${kind.charAt(0)}${nameOf(kind, id, names)}`,
  )
}

function nameOf(kind: string, id: string, { words, user, role, room }: Names): string {
  if (kind === '#') return literal(room(id)?.name ?? words.aRoom)
  return literal(kind === '@' ? (user(id) ?? words.aMember) : (role(id) ?? words.aRole))
}

/** Matches Markdown's special characters, and the beginning of a name that would mention everyone. */
const SIGNS = /[\\`*_~|[\]<>@:#!]|^(?=(?:everyone|here)(?![A-Za-z0-9_]))/g

/** Returns a name as Markdown that shows it unchanged. */
function literal(name: string): string {
  return name.replaceAll(/\s+/g, ' ').replaceAll(SIGNS, (sign) => (sign === '' ? '\u200b' : `\\${sign}`))
}

/** Returns an embed as other servers may show it: without ids, and with the original addresses of pictures. */
export function plainEmbed(embed: Embed, names: Names): Embed {
  const plain = (text: string) => withoutIds(text, names, Array.from(text).length)
  const { title, description, author, footer, fields, image, video, thumbnail } = embed
  return {
    ...embed,
    title: title && plain(title),
    description: description && plain(description),
    author: author && { name: plain(author.name), url: author.url, icon_url: author.icon_url },
    footer: footer && { text: plain(footer.text), icon_url: footer.icon_url },
    fields: fields.map((field) => ({ ...field, name: plain(field.name), value: plain(field.value) })),
    image: plainMedia(image),
    video: plainMedia(video),
    thumbnail: plainMedia(thumbnail),
  }
}

/** Returns all texts of an embed, which may mention users. */
export function textsOf({ title, description, author, footer, fields }: Embed): string[] {
  const own = [title, description, author?.name, footer?.text]
  return [...own, ...fields.flatMap(({ name, value }) => [name, value])].filter(
    (text) => text !== null && text !== undefined,
  )
}

/** Leaves out pictures that only this server has. */
function plainMedia(media: EmbedMedia | null): EmbedMedia | null {
  if (media === null || !/^https?:\/\//.test(media.url)) return null
  const { url, content_type, width, height } = media
  return { url, content_type, width, height, attachment_id: null }
}
