import type { MemberWithUser } from '@foyer/protocol/members'
import type { User } from '@foyer/protocol/users'
import type { MemberAction } from '#src/members/actions/member-menu.tsx'
import type { EndedPerson } from './end-friendship.tsx'

/** Dialog opened from a user's profile card or menu. */
export type ProfileTask =
  | { readonly kind: 'profile'; readonly userId: string }
  | { readonly kind: 'end'; readonly person: EndedPerson }
  | { readonly kind: 'report'; readonly user: User }
  | {
      readonly kind: 'member'
      readonly action: MemberAction
      readonly member: MemberWithUser
      readonly name: string
    }
  /** For a user who is not a member of the current space. */
  | { readonly kind: 'ban'; readonly userId: string; readonly name: string }
