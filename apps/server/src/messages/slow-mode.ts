import { Capability } from '@foyer/protocol/capabilities'
import { MAX_SLOW_MODE_SECONDS } from '@foyer/protocol/limits'
import { has, Permission } from '@foyer/protocol/permissions'
import type { ChannelAccess } from '#src/channels/access.ts'
import { roomOf } from '#src/channels/place.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

interface Deps {
  database: Database
}

/** A user's turn in a room. Its time is from the database's clock, so that all processes agree. */
interface Turn {
  readonly space_id: string
  readonly room_id: string
  readonly user_id: string
  readonly turn_id: string
}

/** Returns whether the caller has to wait between messages in the channel. Moderators do not. */
export function isSlowed({ room, permissions, capabilities }: ChannelAccess): boolean {
  if (room === null || room.room.slow_mode_seconds === 0) return false
  const { ManageMessages, ManageChannels } = Permission
  const isModerator = has(permissions, ManageMessages) || has(permissions, ManageChannels)
  return !isModerator && !has(capabilities, Capability.BypassSlowMode)
}

/**
 * Writes a message if it is the caller's turn. Gives the turn back if it is certain that nothing was written.
 * @throws ApiError 429 with Retry-After before the caller's turn
 */
export async function inTurn<Written>(
  deps: Deps,
  access: ChannelAccess,
  write: () => Promise<Written | undefined>,
): Promise<Written | undefined> {
  const turn = isSlowed(access) ? await takeTurn(deps, access) : undefined
  if (turn === undefined) return write()
  try {
    const written = await write()
    if (written === undefined) await giveBack(deps, turn)
    return written
  } catch (error) {
    // After any other error, such as a lost connection, the message may be stored.
    if (error instanceof ApiError) await giveBack(deps, turn)
    throw error
  }
}

/**
 * Checks that it is the caller's turn, before long work.
 * @throws ApiError with the errors of `inTurn`
 */
export async function checkTurn(deps: Deps, access: ChannelAccess): Promise<void> {
  if (!isSlowed(access)) return
  const waitSeconds = await findWait(deps, access)
  if (waitSeconds > 0) throw tooEarly(waitSeconds)
}

/** Deletes turns that are older than the longest slow mode. */
export async function sweepTurns(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from slow_mode_turns where ctid = any(array(
        select ctid from slow_mode_turns
        where last_at < now() - make_interval(secs => ${MAX_SLOW_MODE_SECONDS}::integer)
        limit ${limit}
        for update skip locked))
      returning user_id`),
  )
}

async function takeTurn(deps: Deps, access: ChannelAccess): Promise<Turn> {
  const turn = { ...whereOf(access), turn_id: newId() }
  for (;;) {
    if (await saveTurn(deps, turn, secondsOf(access))) return turn
    const waitSeconds = await findWait(deps, access)
    // The waiting time may have passed in between.
    if (waitSeconds > 0) throw tooEarly(waitSeconds)
  }
}

async function saveTurn({ database }: Deps, turn: Turn, seconds: number): Promise<boolean> {
  const saved = await database.query(sql`
    insert into slow_mode_turns as turns (space_id, room_id, user_id, turn_id, last_at)
    values (${turn.space_id}, ${turn.room_id}, ${turn.user_id}, ${turn.turn_id}, clock_timestamp())
    on conflict (space_id, room_id, user_id)
    do update set turn_id = excluded.turn_id, last_at = clock_timestamp(), previous_at = turns.last_at
      where turns.last_at + make_interval(secs => ${seconds}::integer) <= clock_timestamp()
    returning turn_id`)
  return saved.length > 0
}

/** Returns the seconds until the caller may send; 0 if there is no wait. */
async function findWait({ database }: Deps, access: ChannelAccess): Promise<number> {
  const { space_id, room_id, user_id } = whereOf(access)
  const [row] = await database.query<{ wait: number }>(sql`
    select extract(epoch from last_at - clock_timestamp())::float8 + ${secondsOf(access)}::integer as wait
    from slow_mode_turns where space_id = ${space_id} and room_id = ${room_id} and user_id = ${user_id}`)
  return Math.max(0, row?.wait ?? 0)
}

async function giveBack({ database }: Deps, turn: Turn): Promise<void> {
  const { space_id, room_id, user_id, turn_id } = turn
  await database.query(sql`
    update slow_mode_turns set last_at = coalesce(previous_at, '-infinity'), previous_at = null
    where space_id = ${space_id} and room_id = ${room_id} and user_id = ${user_id} and turn_id = ${turn_id}`)
}

function whereOf({ place, caller }: ChannelAccess) {
  return { space_id: place.tenantId, room_id: roomOf(place), user_id: caller.user.id }
}

function secondsOf({ room }: ChannelAccess): number {
  return room?.room.slow_mode_seconds ?? 0
}

function tooEarly(waitSeconds: number): ApiError {
  return new ApiError('slow_mode', undefined, { 'retry-after': `${Math.ceil(waitSeconds)}` })
}
