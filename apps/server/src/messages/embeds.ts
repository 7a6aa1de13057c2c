import type { Component, ComponentRow } from '@foyer/protocol/components'
import { type CreateEmbed, type Embed, type EmbedFooter, EmbedType } from '@foyer/protocol/embeds'
import { MAX_EMBED_CHARACTERS } from '@foyer/protocol/limits'
import { ApiError } from '#src/kernel/errors.ts'
import { isoOf } from './timestamps.ts'

/**
 * Turns the embeds of a bot or a webhook into the stored form.
 * @throws ApiError 400 for an empty embed, and if the embeds together have too much text
 */
export function toEmbeds(created: readonly CreateEmbed[] | null | undefined): Embed[] {
  const given = created ?? []
  const embeds = given.map((embed, index) => toEmbed(embed, `embeds.${index}`))
  const empty = embeds.findIndex((embed, index) => isEmpty(embed) && !showsFile(given[index]))
  if (empty >= 0) throw new ApiError('invalid_request', `embeds.${empty} is empty`)
  const characters = embeds.reduce((sum, embed) => sum + lengthOf(embed), 0)
  if (characters > MAX_EMBED_CHARACTERS) throw new ApiError('embeds_too_large')
  return embeds.filter((embed) => !isEmpty(embed))
}

function toEmbed(created: CreateEmbed, path: string): Embed {
  const { author, footer, fields } = created
  return {
    type: EmbedType.Rich,
    url: textOrNull(created.url),
    title: textOrNull(created.title),
    description: textOrNull(created.description),
    color: created.color ?? null,
    timestamp: toTimestamp(created.timestamp, path),
    site_name: null,
    author: toAuthor(author),
    image: toMedia(created.image),
    video: toMedia(created.video),
    thumbnail: toMedia(created.thumbnail),
    fields: (fields ?? []).map(({ name, value, inline }) => ({ name, value, inline: inline ?? false })),
    footer: footer?.text ? { text: footer.text, ...toIcon(footer.icon_url) } : null,
  }
}

function toAuthor(author: CreateEmbed['author']): Embed['author'] {
  if (!author?.name) return null
  return { name: author.name, url: textOrNull(author.url), ...toIcon(author.icon_url) }
}

function toIcon(given: string | null | undefined): Omit<EmbedFooter, 'text'> {
  const url = textOrNull(given)
  return { icon_url: url, icon: url === null ? null : toMedia({ url }) }
}

function textOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

function toTimestamp(text: string | null | undefined, path: string): string | null {
  if (text === undefined || text === null) return null
  const iso = isoOf(text)
  if (iso === undefined) throw new ApiError('invalid_request', `${path}.timestamp must be a valid date-time`)
  return iso
}

function toMedia(media: { url: string } | null | undefined): Embed['image'] {
  if (!media?.url || isFile(media)) return null
  return { url: media.url, content_type: null, width: null, height: null, attachment_id: null }
}

/**
 * Returns true if the embed shows one of the message's own files: the file is shown anyway, so the embed may be empty.
 */
function showsFile({ image, thumbnail, video }: CreateEmbed = {}): boolean {
  return [image, thumbnail, video].some(isFile)
}

function isFile(media: { url: string } | null | undefined): boolean {
  return media?.url.startsWith('attachment:') === true
}

function isEmpty({ title, description, author, image, video, thumbnail, fields, footer }: Embed): boolean {
  const shown = title ?? description ?? author ?? image ?? video ?? thumbnail ?? footer
  return shown === null && fields.length === 0
}

function lengthOf({ title, description, author, footer, fields }: Embed): number {
  const texts = [
    title,
    description,
    author?.name,
    footer?.text,
    ...fields.flatMap((field) => [field.name, field.value]),
  ]
  return texts.reduce((sum, text) => sum + [...(text ?? '')].length, 0)
}

const BUTTON_STYLES = ['primary', 'secondary', 'success', 'danger', 'link']

/**
 * Checks the buttons and selects of a message.
 * @throws ApiError 400 with a message that begins with the component's path
 */
export function checkComponents(rows: readonly ComponentRow[] | null | undefined): ComponentRow[] {
  const placed = (rows ?? []).flatMap(({ components }, row) =>
    components.map((component, index) => ({
      component,
      path: `components.${row}.components.${index}`,
      row: components,
    })),
  )
  const seen = new Set<string>()
  for (const { component, path, row } of placed) {
    const complaint = complaintOf(component, row.length) ?? repeated(component, seen)
    if (complaint !== undefined) throw new ApiError('invalid_request', `${path} ${complaint}`)
  }
  return [...(rows ?? [])]
}

function complaintOf(component: Component, rowLength: number): string | undefined {
  if (component.type === 'button') return complaintOfButton(component)
  if (component.type === 'select') return complaintOfSelect(component, rowLength)
  return 'is only for modals'
}

function complaintOfButton({ style, label, emoji, custom_id, url }: Component): string | undefined {
  if (!BUTTON_STYLES.includes(style ?? 'secondary')) return 'has a style that is not for buttons'
  if ((label ?? '') === '' && (emoji ?? '') === '') return 'needs a label or an emoji'
  const isLink = style === 'link'
  if (isLink && (url ?? null) === null) return 'needs a url'
  if (isLink !== ((custom_id ?? null) === null))
    return isLink ? 'has a url, so it must not have a custom_id' : 'needs a custom_id'
  return undefined
}

function complaintOfSelect(select: Component, rowLength: number): string | undefined {
  const { custom_id, options = [], min_values = 1, max_values = 1 } = select
  if (rowLength > 1) return 'is a select, which must be alone in its row'
  if ((custom_id ?? null) === null) return 'needs a custom_id'
  if (options.length === 0) return 'needs options'
  if (new Set(options.map(({ value }) => value)).size < options.length) return 'has an option twice'
  if (min_values > max_values || max_values > options.length)
    return 'has min_values or max_values that do not fit its options'
  return undefined
}

function repeated({ custom_id }: Component, seen: Set<string>): string | undefined {
  if (custom_id === undefined || custom_id === null) return undefined
  if (seen.has(custom_id)) return 'has the same custom_id as another component'
  seen.add(custom_id)
  return undefined
}
