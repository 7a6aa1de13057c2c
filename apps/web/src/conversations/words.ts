import { MAX_GROUP_MEMBERS, MAX_GROUPS } from '@foyer/protocol/limits'
import type { Words } from '#src/ui/form-errors.ts'

/** What to say, and what to do about it, when something about a conversation was refused. */
export const conversationWords: Words = {
  cannot_converse:
    'You can talk with friends, and with people who are in a space with you. Send a friend request first.',
  conversing_with_oneself: 'That is you. Choose somebody else.',
  unknown_user: 'This account does not exist any more.',
  unknown_conversation: 'You are not in this conversation any more.',
  unknown_member: 'They are not in this group any more.',
  too_many_group_members: `A group has at most ${MAX_GROUP_MEMBERS} people.`,
  too_many_groups: `You, or somebody of them, are in ${MAX_GROUPS} groups already. Leave one first.`,
  group_owner_only: 'Only the owner of the group can do this.',
  blocked_conversation: 'You cannot write to each other at the moment.',
}
