import type { MemberWithUser } from '@foyer/protocol/members'
import type { RefObject } from 'react'
import type { Rights } from '#src/permissions/rights.ts'
import type { SpaceEntry } from '#src/store/state.ts'

/** One of the listed members, and who looks at them. */
export interface ListedMember {
  space: SpaceEntry
  member: MemberWithUser
  name: string
  /** Those of the reader. */
  rights: Rights
  /** Where the focus goes when the member is gone. */
  focusAfter: RefObject<HTMLElement | null>
}
