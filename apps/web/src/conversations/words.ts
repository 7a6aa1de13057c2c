import { MAX_GROUP_MEMBERS, MAX_GROUPS } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/form-errors.ts'

/** Messages for error codes of conversation requests. */
export const conversationWords: Words = {
  cannot_converse: t(
    'You can talk with friends, and with people who are in a space with you. Send a friend request first.',
  ),
  conversing_with_oneself: t('That is you. Choose somebody else.'),
  unknown_user: t('This account does not exist any more.'),
  unknown_conversation: t('You are not in this conversation any more.'),
  unknown_member: t('They are not in this group any more.'),
  too_many_group_members: t('A group has at most {max} people.', { max: MAX_GROUP_MEMBERS }),
  too_many_groups: t('You, or somebody of them, are in {max} groups already. Leave one first.', {
    max: MAX_GROUPS,
  }),
  group_owner_only: t('Only the owner of the group can do this.'),
  blocked_conversation: t('You cannot write to each other at the moment.'),
}
