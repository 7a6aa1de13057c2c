import type { MemberWithUser } from '@foyer/protocol/members'
import type { MemberDeed } from '#src/spaces/settings/members/member-menu.tsx'
import type { EndedPerson } from './end-friendship.tsx'

/** What the card about somebody leads to, over the page. */
export type ProfileTask =
  | { readonly kind: 'profile'; readonly userId: string }
  | { readonly kind: 'end'; readonly person: EndedPerson }
  | {
      readonly kind: 'member'
      readonly deed: MemberDeed
      readonly member: MemberWithUser
      readonly name: string
    }
  /** Of somebody who is no member of the space around. */
  | { readonly kind: 'ban'; readonly userId: string; readonly name: string }
