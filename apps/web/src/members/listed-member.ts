import type { MemberWithUser } from '@foyer/protocol/members'
import type { RefObject } from 'react'
import type { Rights } from '#src/permissions/rights.ts'
import type { SpaceEntry } from '#src/store/state.ts'

/** A listed member, with the rights of the viewer. */
export interface ListedMember {
  space: SpaceEntry
  member: MemberWithUser
  name: string
  /** Rights of the viewer. */
  rights: Rights
  /** Receives the focus after the member is removed. */
  focusAfter: RefObject<HTMLElement | null>
}
