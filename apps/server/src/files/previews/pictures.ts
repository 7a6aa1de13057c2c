import { type Embed, type EmbedMedia, EmbedType } from '@foyer/protocol/embeds'
import type { Place } from '#src/channels/place.ts'
import { claimImages } from '#src/files/images/actions.ts'
import { type FetchDeps, fetchPicture } from '#src/files/images/fetching.ts'
import { keepOrDiscard } from '#src/files/objects/actions.ts'
import { hashToken } from '#src/kernel/ids.ts'
import { requestEviction } from './evictions.ts'
import { holdPicture, insertPicture, type Picture } from './picture-queries.ts'

const FIT = { width: 1280, height: 1280 }
const FETCH_MS = 10_000
/** Minimum width of a large picture, in pixels. Narrower and portrait pictures are shown as thumbnails. */
const MIN_LARGE_WIDTH = 400

/** The message that owns a copy, and its author. */
export interface Keeper {
  place: Place
  /** The message's author, to whose share of the space for forms the downloads count. */
  authorId: string
}

/**
 * Returns the embed with copies of its pictures; undefined if nothing is left. Pictures that cannot be copied are dropped.
 * @throws the signal's reason
 */
export async function withCopies(
  deps: FetchDeps,
  keeper: Keeper,
  embed: Embed,
  signal: AbortSignal,
): Promise<Embed | undefined> {
  const wanted = embed.image ?? embed.thumbnail
  if (wanted === null) return embed
  const media = await copyOf(deps, keeper, wanted, signal)
  if (embed.type === EmbedType.Image) return media === undefined ? undefined : { ...embed, image: media }
  const isLarge = media !== undefined && embed.type === EmbedType.Link && isWide(media)
  const isImage = isLarge && (embed.image !== null || (media.width ?? 0) >= MIN_LARGE_WIDTH)
  return { ...embed, image: isImage ? media : null, thumbnail: isImage ? null : (media ?? null) }
}

function isWide({ width, height }: EmbedMedia): boolean {
  return (width ?? 0) > (height ?? 0)
}

/**
 * Copies the pictures in embeds of bots and webhooks. Returns the successful copies by address.
 * @throws the signal's reason
 */
export async function copiesOf(
  deps: FetchDeps,
  keeper: Keeper,
  pictures: readonly EmbedMedia[],
  signal: AbortSignal,
): Promise<Map<string, EmbedMedia>> {
  const copies = await Promise.all(pictures.map((picture) => copyOf(deps, keeper, picture, signal)))
  return new Map(copies.flatMap((copy) => (copy === undefined ? [] : [[copy.url, copy] as const])))
}

async function copyOf(
  deps: FetchDeps,
  keeper: Keeper,
  { url }: EmbedMedia,
  signal: AbortSignal,
): Promise<EmbedMedia | undefined> {
  const { tenantId } = keeper.place
  try {
    const address = new URL(url)
    const picture =
      (await holdPicture(deps.database, tenantId, hashToken(address.href))) ??
      (await copy(deps, keeper, address, AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)])))
    return { url, ...picture }
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

async function copy(deps: FetchDeps, keeper: Keeper, url: URL, signal: AbortSignal): Promise<Picture> {
  const { tenantId } = keeper.place
  const target = { tenantId, ownerId: keeper.authorId, purpose: 'preview', fit: FIT } as const
  const file = await fetchPicture(deps, target, url, signal)
  const { id, content_type, size_bytes, width, height } = file
  const picture = { attachment_id: id, content_type, width, height }
  await keepOrDiscard(deps, [file], () =>
    deps.database.transaction(async (transaction) => {
      await claimImages(transaction, tenantId, [id])
      await insertPicture(transaction, tenantId, hashToken(url.href), { ...picture, size_bytes })
    }),
  )
  await requestEviction(deps.database, tenantId)
  return picture
}
