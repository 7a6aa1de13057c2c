import { Capability } from '@foyer/protocol/capabilities'
import { type Embed, type EmbedMedia, EmbedType } from '@foyer/protocol/embeds'
import { MessageFlag } from '@foyer/protocol/messages'
import { has } from '@foyer/protocol/permissions'
import { isConversation, type Place, placeOfRow, roomOf } from '#src/channels/place.ts'
import type { FetchDeps } from '#src/files/images/fetching.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { publishChange } from '#src/messages/actions/changes.ts'
import { lockMessage } from '#src/messages/change-queries.ts'
import { findRow } from '#src/messages/queries.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import { rightsInRoom, type Snapshots } from '#src/spaces/snapshots.ts'
import { picturesOf } from './embed-pictures.ts'
import { findLinks } from './links.ts'
import { uncopied, withOwnCopies } from './own-embeds.ts'
import { insertUses, type Showing } from './picture-queries.ts'
import { copiesOf, type Keeper, withCopies } from './pictures.ts'
import type { Previewer } from './previewer.ts'

export interface PreviewDeps extends FetchDeps {
  downloads: DownloadSigner
  previewer: Previewer
  snapshots: Snapshots
}

/**
 * Shows previews of the message's links, removes previews of links that were deleted, and copies the pictures in embeds
 * of bots and webhooks.
 * @returns true if a link should be retried, because its host could not be reached
 * @throws Error when the server stops
 */
export async function previewLinks(deps: PreviewDeps, place: Place, messageId: string): Promise<boolean> {
  const row = await findRow(deps.database, place, messageId)
  if (row === undefined) return false
  const keeper = { place, authorId: row.author_id }
  const links = linksOf(row)
  const known = new Set(previewsOf(row).map(({ url }) => url))
  const mayPreview = await mayEmbedLinks(deps.snapshots, place, row)
  const missing = mayPreview ? links.filter((link) => !known.has(link)) : []
  const [found, copies] = await Promise.all([
    Promise.all(missing.map((link) => findEmbed(deps, keeper, link))),
    copiesOf(deps, keeper, uncopied(row.embeds ?? []), deps.previewer.closing),
  ])
  const embeds = found.flatMap(({ embed }) => embed ?? [])
  const isStale = previewsOf(row).some(({ url }) => !links.includes(url ?? ''))
  const isForwarding = copiesIn(row.snapshot?.embeds ?? []).length > 0
  if (embeds.length > 0 || copies.size > 0 || isStale || isForwarding)
    await showPreviews(deps, { ...place, messageId }, { embeds, copies })
  return found.some(({ isTrouble }) => isTrouble)
}

/** Returns true for webhooks and in conversations. In a room, the author must be a member with EmbedLinks. */
async function mayEmbedLinks(snapshots: Snapshots, place: Place, row: MessageRow): Promise<boolean> {
  if (row.webhook_id !== null || isConversation(place)) return true
  const { snapshot, member } = await snapshots.findMembership(place.tenantId, row.author_id)
  if (snapshot === undefined || member === undefined) return false
  return has(
    rightsInRoom(snapshot, member, roomOf(placeOfRow(place.tenantId, row))).capabilities,
    Capability.EmbedLinks,
  )
}

interface Found {
  embed?: Embed | undefined
  isTrouble: boolean
}

async function findEmbed(deps: PreviewDeps, keeper: Keeper, link: string): Promise<Found> {
  const unfurled = await deps.previewer.find(link)
  if (unfurled.kind !== 'embed') return { isTrouble: unfurled.kind === 'trouble' }
  const embed = await withCopies(deps, keeper, unfurled.embed, deps.previewer.closing)
  return { embed, isTrouble: false }
}

/** New previews and copies for a message. */
interface PreviewResults {
  embeds: readonly Embed[]
  copies: ReadonlyMap<string, EmbedMedia>
}

/** Adds the results to the current message, which may have been edited or deleted during the requests. */
async function showPreviews(
  deps: PreviewDeps,
  showing: Showing,
  { embeds, copies }: PreviewResults,
): Promise<void> {
  const { messageId } = showing
  await deps.database.transaction(async (transaction) => {
    const row = await lockMessage(transaction, showing, messageId)
    if (row === undefined) return
    const before = row.embeds ?? []
    const own = before.filter(isOwn).map((embed) => withOwnCopies(embed, copies))
    const previews = [...previewsOf(row), ...embeds]
    const shown = linksOf(row).flatMap((link) => previews.find(({ url }) => url === link) ?? [])
    const after = [...own, ...shown]
    await insertUses(transaction, showing, copiesIn([...after, ...(row.snapshot?.embeds ?? [])]))
    if (after.length === before.length && after.every((embed, index) => embed === before[index])) return
    await saveEmbeds(transaction, showing, messageId, after)
    await publishChange(transaction, deps, showing, messageId)
  })
}

/** Returns the message's links that may have a preview. */
function linksOf({ content, flags }: Pick<MessageRow, 'content' | 'flags'>): string[] {
  return (flags & MessageFlag.SuppressEmbeds) === 0 ? findLinks(content) : []
}

function previewsOf({ embeds }: Pick<MessageRow, 'embeds'>): Embed[] {
  return (embeds ?? []).filter((embed) => !isOwn(embed))
}

/** Returns true for an embed of a bot or webhook. Link previews do not replace it. */
function isOwn({ type }: Embed): boolean {
  return type === EmbedType.Rich
}

/** Returns the attachment ids of pictures that the server has copied. */
function copiesIn(embeds: readonly Embed[]): string[] {
  return embeds.flatMap(picturesOf).flatMap(({ attachment_id }) => attachment_id ?? [])
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
