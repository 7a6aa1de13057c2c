import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { MessageFlag } from '@foyer/protocol/messages'
import type { Place } from '#src/channels/place.ts'
import type { DownloadSigner } from '#src/files/signatures.ts'
import type { FetchDeps } from '#src/images/fetching.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'
import { publishChange } from '#src/messages/actions-changes.ts'
import { lockMessage } from '#src/messages/change-queries.ts'
import { findRow } from '#src/messages/queries.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import { findLinks } from './links.ts'
import { insertUses } from './picture-queries.ts'
import { withCopies } from './pictures.ts'
import type { Previewer } from './previewer.ts'

export interface PreviewDeps extends FetchDeps {
  downloads: DownloadSigner
  previewer: Previewer
}

/**
 * Shows below a message what its links lead to, and no longer what they led to that are gone.
 * @returns whether a link is worth another try later: its host could not be asked
 * @throws Error when the server stops
 */
export async function previewLinks(deps: PreviewDeps, place: Place, messageId: string): Promise<boolean> {
  const row = await findRow(deps.database, place, messageId)
  if (row === undefined) return false
  const links = linksOf(row)
  const known = new Set(previewsOf(row).map(({ url }) => url))
  const missing = links.filter((link) => !known.has(link))
  const found = await Promise.all(
    missing.map((link) => findEmbed(deps, { place, authorId: row.author_id }, link)),
  )
  const embeds = found.flatMap(({ embed }) => embed ?? [])
  const isStale = previewsOf(row).some(({ url }) => !links.includes(url ?? ''))
  const forwarded = picturesOf(row.snapshot?.embeds ?? [])
  if (embeds.length > 0 || isStale || forwarded.length > 0) await showPreviews(deps, place, messageId, embeds)
  return found.some(({ isTrouble }) => isTrouble)
}

interface Found {
  embed?: Embed | undefined
  isTrouble: boolean
}

async function findEmbed(
  deps: PreviewDeps,
  keeper: { place: Place; authorId: string },
  link: string,
): Promise<Found> {
  const unfurled = await deps.previewer.find(link)
  if (unfurled.kind !== 'embed') return { isTrouble: unfurled.kind === 'trouble' }
  const embed = await withCopies(deps, keeper, unfurled.embed, deps.previewer.closing)
  return { embed, isTrouble: false }
}

/** By what the message says now: it may have been edited, or be gone, while strangers were asked. */
async function showPreviews(
  deps: PreviewDeps,
  place: Place,
  messageId: string,
  found: readonly Embed[],
): Promise<void> {
  await deps.database.transaction(async (transaction) => {
    await lockMessage(transaction, place, messageId)
    const row = await findRow(transaction, place, messageId)
    if (row === undefined) return
    const before = row.embeds ?? []
    const previews = [...previewsOf(row), ...found]
    const shown = linksOf(row).flatMap((link) => previews.find(({ url }) => url === link) ?? [])
    const after = [...before.filter(isOwn), ...shown]
    const showing = { ...place, messageId }
    await insertUses(transaction, showing, picturesOf([...after, ...(row.snapshot?.embeds ?? [])]))
    if (after.length === before.length && after.every((embed, index) => embed === before[index])) return
    await saveEmbeds(transaction, place, messageId, after)
    await publishChange(transaction, deps, place, messageId)
  })
}

/** Those of the message's links that are to be shown. */
function linksOf({ content, flags }: Pick<MessageRow, 'content' | 'flags'>): string[] {
  return (flags & MessageFlag.SuppressEmbeds) === 0 ? findLinks(content) : []
}

function previewsOf({ embeds }: Pick<MessageRow, 'embeds'>): Embed[] {
  return (embeds ?? []).filter((embed) => !isOwn(embed))
}

/** What a bot or a webhook shows stays as it is. */
function isOwn({ type }: Embed): boolean {
  return type === EmbedType.Rich
}

/** Those that the server has copies of. */
function picturesOf(embeds: readonly Embed[]): string[] {
  return embeds.flatMap(({ image, thumbnail }) =>
    [image?.attachment_id ?? [], thumbnail?.attachment_id ?? []].flat(),
  )
}

async function saveEmbeds(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  messageId: string,
  embeds: readonly Embed[],
): Promise<void> {
  await transaction.query(sql`
    update messages set embeds = ${embeds.length === 0 ? null : JSON.stringify(embeds)}
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id = ${messageId}`)
}
