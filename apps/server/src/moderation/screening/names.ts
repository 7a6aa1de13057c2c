import type { AutomodSource } from '@foyer/protocol/automod'
import type { CurrentUser, UpdateCurrentUserBody } from '@foyer/protocol/users'
import { listSpaceIdsOf } from '#src/people/users/queries.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { rightsIn, type Snapshots } from '#src/spaces/snapshots.ts'
import { type ScreeningDeps, screen } from './actions/consequences.ts'
import { type Writer, type Written, writerOf } from './written.ts'

type Name = string | null | undefined

/**
 * Checks names before they are shown in a space.
 * @param source the kind of text, and its room
 * @throws ApiError 403 if a rule of the space refuses one of the names
 */
export async function screenNames(
  deps: ScreeningDeps,
  access: Pick<SpaceAccess, 'spaceId' | 'caller' | 'member' | 'capabilities'>,
  { source, roomId = null }: { source: AutomodSource; roomId?: string | null },
  names: readonly Name[],
): Promise<void> {
  await screenIn(deps, { spaceId: access.spaceId, roomId, writer: writerOf(access), source }, names)
}

/**
 * Checks the names of a user who is about to join.
 * @throws ApiError 403 if a rule of the space refuses one of them
 */
export async function screenJoining(
  deps: ScreeningDeps,
  spaceId: string,
  user: Pick<CurrentUser, 'id' | 'created_at' | 'username' | 'alias' | 'custom'>,
): Promise<void> {
  const writer = writerOf({ caller: { user }, member: null, capabilities: 0 })
  const where = { spaceId, roomId: null, writer }
  await screenIn(deps, { ...where, source: 'display_name' }, [user.username, user.alias])
  await screenIn(deps, { ...where, source: 'status' }, [user.custom])
}

/**
 * Checks names and status text of a user by the rules of all their spaces, because every space shows them.
 * @throws ApiError 403 if a rule refuses one of them
 */
export async function screenProfile(
  deps: ScreeningDeps & { snapshots: Snapshots },
  user: CurrentUser,
  { username, alias, custom }: UpdateCurrentUserBody,
): Promise<void> {
  const names = [changed(user.username, username), changed(user.alias, alias)]
  const texts = [changed(user.custom, custom)]
  if ([...names, ...texts].every((text) => !text)) return
  for (const spaceId of await listSpaceIdsOf(deps.database, user.id)) {
    const writer = (await deps.screening.hasRules(spaceId)) && (await findWriter(deps, spaceId, user))
    if (!writer) continue
    const where = { spaceId, roomId: null, writer }
    await screenIn(deps, { ...where, source: 'display_name' }, names)
    await screenIn(deps, { ...where, source: 'status' }, texts)
  }
}

/** Returns the new text, or undefined if it is the old one. */
export function changed(before: Name, after: Name): Name {
  return after === before ? undefined : after
}

async function findWriter(
  { snapshots }: { snapshots: Snapshots },
  spaceId: string,
  user: CurrentUser,
): Promise<Writer | undefined> {
  const { snapshot, member } = await snapshots.findMembership(spaceId, user.id)
  if (snapshot === undefined || member === undefined) return undefined
  return writerOf({ caller: { user }, member, capabilities: rightsIn(snapshot, member).capabilities })
}

async function screenIn(
  deps: ScreeningDeps,
  where: Pick<Written, 'spaceId' | 'roomId' | 'writer' | 'source'>,
  names: readonly Name[],
): Promise<void> {
  const texts = names.flatMap((name) => name || [])
  if (texts.length > 0) await screen(deps, { ...where, texts })
}
