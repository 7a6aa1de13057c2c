import type { Door } from '@foyer/protocol/door'
import { t } from '#src/language/texts.ts'
import { isClosedBySensor } from '#src/store/door.ts'
import { isSpaceMuted, notificationLevel } from '#src/store/notification-settings.ts'
import { isBusy } from '#src/store/presences.ts'
import type { SpaceEntry, State } from '#src/store/state.ts'
import type { Notice } from './notice.ts'

/** Closing times of doors that the user already knows: from an alert, or because they were closed on connecting. */
export class KnownDoors {
  readonly #closed = new Map<string, string>()

  /** Notes doors that are already closed when the client connects. They cause no alert, because a banner shows them. */
  note(spaces: readonly Pick<SpaceEntry, 'id' | 'door_closed_at'>[]): void {
    for (const { id, door_closed_at } of spaces) this.#note(id, door_closed_at)
  }

  /** Returns true once for each time that the sensor closes a door. Later events of the door have the same time. */
  isNewRaid(door: Door): boolean {
    const isKnown = this.#closed.get(door.space_id) === (door.closed_at ?? undefined)
    this.#note(door.space_id, door.closed_at)
    return !isKnown && isClosedBySensor(door)
  }

  #note(spaceId: string, closedAt: string | null): void {
    if (closedAt === null) this.#closed.delete(spaceId)
    else this.#closed.set(spaceId, closedAt)
  }
}

/** Returns true if a raid in the space alerts the user, as a mention there would. */
export function alertsOfRaid(state: State, spaceId: string): boolean {
  if (!(spaceId in state.spaces) || isBusy(state) || isSpaceMuted(state, spaceId)) return false
  return notificationLevel(state, spaceId) !== 'none'
}

/** Returns the notification tag of a raid. The server's pushes use the same tag. */
export function raidTag(spaceId: string): string {
  return `raid-${spaceId}`
}

/** Returns the notification of a raid. */
export function raidNotice({ spaces }: State, { space_id, cause }: Door): Notice {
  return {
    title: t('{space}: the door is closed', { space: spaces[space_id]?.name ?? '' }),
    body:
      cause === 'messages'
        ? t('New members wrote many messages at once. Decide who may stay.')
        : t('Many people joined at once. Decide who may stay.'),
    url: `/spaces/${space_id}`,
    tag: raidTag(space_id),
    message_id: null,
    isRaid: true,
  }
}
