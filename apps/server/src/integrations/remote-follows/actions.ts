import { limits, MAX_REMOTE_FOLLOWS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { type FetchDeps, fetchPicture } from '#src/files/images/fetching.ts'
import { keepOrDiscard } from '#src/files/objects/actions.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId, newToken } from '#src/kernel/ids.ts'
import { OutgoingError } from '#src/kernel/outgoing/outgoing-error.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import { type HeldSpace, holdSpace, type RoomAccess, type SpaceAccess } from '#src/spaces/access.ts'
import { checkNewFollower, insertFollowerWebhook, type NewFollower } from '../follows/new-followers.ts'
import type { WebhookRow } from '../webhooks/queries.ts'
import { feedUrlOf, isOfOrigin, type RemoteAddress, remoteAddressOf } from './addresses.ts'
import { FeedError, fetchFeed, type RemoteFeed } from './feed.ts'
import { countRemoteFollows, insertRemoteFollow, type NewRemoteFollow } from './queries.ts'
import { sealRemoteSecret } from './secrets.ts'

export type RemoteFollowDeps = FetchDeps & { sealer: Sealer }

const ICON_FIT = { width: 256, height: 256 }
const ICON_MS = 10_000
const FEED_MS = 10_000

/** The room that will follow, and the origins of this server. */
interface Following {
  access: { space: SpaceAccess; room: RoomAccess }
  ownOrigins: readonly string[]
}

/**
 * Makes the room a follower of an announcement room of another server, by a webhook with the name and icon of that room's
 * space.
 * @param url address of the announcement room's page
 * @throws ApiError 400 if the address does not lead to such a room, if its server cannot be reached, if the follower is not a
 *   text room, and at the limits; 409 if the room already follows
 */
export async function followRemoteRoom(
  deps: RemoteFollowDeps,
  { access: { space, room }, ownOrigins }: Following,
  url: string,
): Promise<WebhookRow> {
  if (room.room.type !== RoomType.Text) throw new ApiError('unfit_follower')
  const address = remoteAddressOf(url)
  if (ownOrigins.includes(address.origin)) throw new ApiError('own_server')
  const feed = await readFeed(deps, address)
  if (ownOrigins.includes(feed.server)) throw new ApiError('own_server')
  const id = newId()
  const pictures = await fetchIcon(deps, { tenantId: space.spaceId, ownerId: id }, { feed, address })
  const home = { space_id: space.spaceId, id, room_id: room.room.id, creator_id: space.caller.user.id }
  const webhook = { ...home, ...webhookOf(feed, address), avatar: pictures[0]?.id ?? null }
  const secret = sealRemoteSecret(deps.sealer, id, newToken())
  const follow = { ...followOf(feed, address), space_id: space.spaceId, webhook_id: id, secret }
  return keepOrDiscard(deps, pictures, () =>
    deps.database.transactionIn(space.spaceId, async (transaction) => {
      const held = await holdSpace(transaction, space, Permission.ManageSpaceWebhooks)
      return insertRemoteFollower(transaction, held, { webhook, follow })
    }),
  )
}

async function readFeed({ outgoing }: RemoteFollowDeps, address: RemoteAddress): Promise<RemoteFeed> {
  try {
    await outgoing.checkTarget(new URL(address.origin))
    return await fetchFeed(outgoing, address, { signal: AbortSignal.timeout(2 * FEED_MS) })
  } catch (error) {
    if (error instanceof FeedError) throw new ApiError(error.code)
    if (error instanceof OutgoingError) throw new ApiError('source_unreachable')
    throw error
  }
}

function webhookOf(feed: RemoteFeed, { origin, spaceId, roomId }: RemoteAddress) {
  const name = Array.from(feed.space.name.trim()).slice(0, limits.nameMax).join('')
  return {
    name: name === '' ? new URL(origin).hostname.slice(0, limits.nameMax) : name,
    token: null,
    secret: null,
    source_space_id: spaceId,
    source_room_id: roomId,
    source_server: origin,
  }
}

function followOf(feed: RemoteFeed, address: RemoteAddress) {
  return {
    server: new URL(address.origin).hostname,
    feed_url: feedUrlOf(address),
    hub_url: feed.hub,
    space_name: feed.space.name,
    room_name: feed.room.name,
    callback_id: newId(),
    read_to: feed.head,
    after_seq: feed.last_seq,
  }
}

/** Stores the icon of the other space. If it cannot be fetched, the follow has no picture. */
async function fetchIcon(
  deps: RemoteFollowDeps,
  home: { tenantId: string; ownerId: string },
  { feed, address }: { feed: RemoteFeed; address: RemoteAddress },
): Promise<FileRow[]> {
  const { icon } = feed.space
  if (icon === null || !isOfOrigin(icon, address.origin)) return []
  const target = { ...home, purpose: 'avatar', fit: ICON_FIT } as const
  return fetchPicture(deps, target, new URL(icon), AbortSignal.timeout(ICON_MS)).then(
    (file) => [file],
    () => [],
  )
}

async function insertRemoteFollower(
  transaction: Transaction,
  held: HeldSpace,
  { webhook, follow }: { webhook: NewFollower; follow: NewRemoteFollow },
): Promise<WebhookRow> {
  await checkNewFollower(transaction, held, webhook)
  if ((await countRemoteFollows(transaction, held.spaceId)) >= MAX_REMOTE_FOLLOWS)
    throw new ApiError('too_many_remote_follows')
  const inserted = await insertFollowerWebhook(transaction, held, webhook)
  await insertRemoteFollow(transaction, follow)
  return inserted
}
