import { Opcode } from '@foyer/protocol/gateway'
import type { MemberListUpdate, Subscribe } from '@foyer/protocol/members'
import type { ServerFrame } from '@foyer/sdk/frames'

/** What this tab asked to see of lists of members: over a connection that tabs share comes what others asked for, too. */
export class SeenLists {
  readonly #ranges = new Map<string, ReadonlySet<string>>()
  readonly #rooms = new Map<string, string | null>()

  ask({ space_id, room_id, member_ranges }: Subscribe): void {
    const ranges = (member_ranges ?? []).map(([from, to]) => `${from} ${to}`)
    this.#ranges.set(space_id, new Set(ranges))
    this.#rooms.set(space_id, room_id ?? null)
  }

  /** The frame as this tab asked for it; undefined for what it did not ask for. */
  narrow(frame: ServerFrame): ServerFrame | undefined {
    if (frame.op !== Opcode.Dispatch || frame.t !== 'SPACE_MEMBER_LIST_UPDATE') return frame
    const asked = this.#ranges.get(frame.d.space_id)
    const isOfRoom = frame.d.room_id === this.#rooms.get(frame.d.space_id)
    if (asked === undefined || asked.size === 0 || !isOfRoom) return undefined
    const isAsked = ({ from, to }: MemberListUpdate['ranges'][number]) => asked.has(`${from} ${to}`)
    return { ...frame, d: { ...frame.d, ranges: frame.d.ranges.filter(isAsked) } }
  }
}
