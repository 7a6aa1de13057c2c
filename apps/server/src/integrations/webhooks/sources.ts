import type { FollowedRoom } from '@foyer/protocol/follows'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { type Snapshots, viewOf } from '#src/spaces/snapshots.ts'
import { pageUrlOf } from '../remote-follows/addresses.ts'
import type { WebhookRow } from './queries.ts'

interface SourceDeps {
  database: Queryable
  snapshots: Snapshots
}

/**
 * Returns the announcement rooms that webhooks follow, by webhook; null for a follow that has ended. Names of a room
 * are included only while the creator of the follow may view it.
 */
export async function findSources(
  { database, snapshots }: SourceDeps,
  webhooks: readonly WebhookRow[],
): Promise<Map<string, FollowedRoom | null>> {
  const [remote, follows] = [webhooks.filter(isRemote), webhooks.filter(isLocal)]
  if (remote.length + follows.length === 0) return new Map()
  const working = new Set(await listWorking(database, follows))
  const sources = await Promise.all(
    follows.map(async (webhook) => {
      const source = working.has(webhook.id) ? await sourceOf(snapshots, webhook) : null
      return [webhook.id, source] as const
    }),
  )
  return new Map([...sources, ...(await findRemoteSources(database, remote))])
}

const isRemote = ({ source_server }: WebhookRow) => source_server !== null
const isLocal = ({ source_room_id, source_server }: WebhookRow) =>
  source_room_id !== null && source_server === null

async function findRemoteSources(
  database: Queryable,
  webhooks: readonly WebhookRow[],
): Promise<[string, FollowedRoom | null][]> {
  if (webhooks.length === 0) return []
  const rows = await database.query<RemoteSource>(sql`
    select webhook_id, space_name, room_name, failing_since from remote_follows
    join unnest(${webhooks.map(({ space_id }) => space_id)}::uuid[], ${webhooks.map(({ id }) => id)}::uuid[])
      as webhook (space_id, webhook_id) using (space_id, webhook_id)`)
  const working = new Map(rows.map((row) => [row.webhook_id, row]))
  return webhooks.map((webhook) => [webhook.id, remoteSourceOf(webhook, working.get(webhook.id))])
}

type RemoteSource = Pick<FollowedRoom, 'space_name' | 'room_name'> & {
  webhook_id: string
  failing_since: string | null
}

function remoteSourceOf(webhook: WebhookRow, row: RemoteSource | undefined): FollowedRoom | null {
  const { source_space_id: space_id, source_room_id: room_id, source_server: origin } = webhook
  if (row === undefined || space_id === null || room_id === null || origin === null) return null
  const { space_name, room_name, failing_since } = row
  const url = pageUrlOf({ origin, spaceId: space_id, roomId: room_id })
  return { space_id, space_name, room_id, room_name, url, server: new URL(origin).host, failing_since }
}

async function listWorking(database: Queryable, follows: readonly WebhookRow[]): Promise<string[]> {
  const rows = await database.query<{ webhook_id: string }>(sql`
    select webhook_id from room_follows
    join unnest(${follows.map(({ source_space_id }) => source_space_id)}::uuid[],
      ${follows.map(({ source_room_id }) => source_room_id)}::uuid[], ${follows.map(({ id }) => id)}::uuid[])
      as follow (space_id, room_id, webhook_id) using (space_id, room_id, webhook_id)`)
  return rows.map(({ webhook_id }) => webhook_id)
}

async function sourceOf(
  snapshots: Snapshots,
  { source_space_id: spaceId, source_room_id: roomId, creator_id }: WebhookRow,
): Promise<FollowedRoom | null> {
  if (spaceId === null || roomId === null) return null
  const isViewed = await mayView(snapshots, { spaceId, roomId }, creator_id)
  const snapshot = await snapshots.find(spaceId)
  const room = snapshot?.rooms.get(roomId)
  if (snapshot === undefined || room === undefined || !isViewed) return null
  const { id: space_id, name: space_name } = snapshot.space
  return { space_id, space_name, room_id: room.id, room_name: room.name }
}

/** Returns whether the user may view the announcement room; undefined while its space is deleted. */
export async function mayView(
  snapshots: Snapshots,
  { spaceId, roomId }: { spaceId: string; roomId: string },
  userId: string,
): Promise<boolean | undefined> {
  const { snapshot, member } = await snapshots.findMembership(spaceId, userId)
  if (snapshot === undefined) return undefined
  return member !== undefined && viewOf(snapshot, member)(roomId)
}
