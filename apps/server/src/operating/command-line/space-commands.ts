import type { OperatorSpace } from '@foyer/protocol/operators'
import type { Space } from '@foyer/protocol/spaces'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import {
  bringBackSpace,
  freezeSpace,
  holdSpaceForLaw,
  releaseSpace,
  removeSpace,
  unfreezeSpace,
} from '#src/operating/administration/spaces/actions.ts'
import { findSpacesOf } from '#src/operating/administration/spaces/queries.ts'
import { accessByCommandLine } from '#src/operating/operators/access.ts'
import type { Command } from './command.ts'
import type { Context } from './context.ts'
import { spaceNamed, userNamed } from './targets.ts'

/** Access without a reason. Commands take the reason from the words after the target, not from a header. */
const access = accessByCommandLine(null)

export const spaceCommands: Record<string, Command> = {
  'find-space': {
    usage: 'find-space [text]',
    does: 'finds spaces by the beginning of their name, or by their id or that of their owner',
    run: async ({ database }, [query = '']) => (await findSpacesOf(database, { query })).map(lineOfSpace),
  },
  freeze: {
    usage: 'freeze <space> [reason]',
    does: 'freezes a space: its members can only read',
    run: async (context, [name, ...reason]) => {
      const { space } = await spaceNamed(context, name)
      return [lineOfSpace(await freezeSpace(context, access, space.id, { reason: reason.join(' ') }))]
    },
  },
  unfreeze: {
    usage: 'unfreeze <space>',
    does: 'ends the freeze of a space',
    run: async (context, [name]) => {
      const { space } = await spaceNamed(context, name)
      return [lineOfSpace(await unfreezeSpace(context, access, space.id))]
    },
  },
  'delete-space': {
    usage: 'delete-space <space>',
    does: 'deletes a space, as its owner could',
    run: async (context, [name]) => {
      const { space } = await spaceNamed(context, name)
      await removeSpace(context, access, space.id)
      return [`${space.name} is deleted`]
    },
  },
  'find-deleted-space': {
    usage: 'find-deleted-space [text]',
    does: 'finds deleted spaces that can still be brought back, as find-space does',
    run: async ({ database }, [query = '']) =>
      (await findSpacesOf(database, { query, deleted: true })).map(lineOfSpace),
  },
  'restore-space': {
    usage: 'restore-space <space> [user]',
    does: 'brings a deleted space back; a user becomes its owner if the account of the former one is deleted',
    run: async (context, [name, owner]) => {
      const { space } = await spaceNamed(context, name, { deleted: true })
      const owner_id = owner === undefined ? null : (await userNamed(context, owner)).user.id
      return [lineOfSpace(await bringBackSpace(context, access, space.id, { owner_id }))]
    },
  },
  hold: {
    usage: 'hold <space> [reason]',
    does: 'keeps everything in a space: nothing is deleted for its age or purged, also of a deleted space given by its id',
    run: async (context, [name, ...reason]) => {
      const { id } = await keptSpace(context, name)
      return [lineOfSpace(await holdSpaceForLaw(context, access, id, { reason: reason.join(' ') }))]
    },
  },
  release: {
    usage: 'release <space>',
    does: 'ends the legal hold on a space',
    run: async (context, [name]) => {
      const { space } = await spaceNamed(context, name, { held: true })
      return [lineOfSpace(await releaseSpace(context, access, space.id))]
    },
  },
}

/** Finds a space, also a deleted one. A deleted space is only found by id, because other spaces may have its name. */
async function keptSpace(context: Context, text = ''): Promise<Pick<Space, 'id'>> {
  const deleted = WRITTEN_UUID.test(text)
    ? await findSpacesOf(context.database, { query: text, deleted: true })
    : []
  const byId = deleted.find(({ space }) => space.id === text.toLowerCase())
  return (byId ?? (await spaceNamed(context, text))).space
}

function lineOfSpace(found: OperatorSpace): string {
  const { space, owner, member_count, restorable_until } = found
  const marks = [
    ...marked('frozen', space.frozen_at, found.freeze_reason),
    ...marked('held', found.held_at, found.hold_reason),
    ...marked('deleted', found.deleted_at, restorable_until === null ? null : `until ${restorable_until}`),
  ]
  return [space.id, space.name, `owner ${owner.username}`, `${member_count} members`, ...marks].join('  ')
}

function marked(word: string, since: string | null, more: string | null): string[] {
  if (since === null) return []
  return [more === null ? word : `${word}: ${more}`]
}
