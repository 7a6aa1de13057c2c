import { MAX_GROUP_MEMBERS, MAX_GROUPS } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'

/** Messages for error codes of conversation requests. */
export const conversationWords: Words = {
  cannot_converse: t('You can only message friends and people in your spaces. Send a friend request first.'),
  conversing_with_oneself: t('That’s you. Choose someone else.'),
  unknown_user: t('This account no longer exists.'),
  unknown_conversation: t('You’re no longer in this conversation.'),
  unknown_member: t('This person is no longer in the group.'),
  too_many_group_members: t('Groups can have up to {max} people.', { max: MAX_GROUP_MEMBERS }),
  too_many_groups: t('You or someone you selected is already in {max} groups. Leave a group first.', {
    max: MAX_GROUPS,
  }),
  group_owner_only: t('Only the group owner can do this.'),
  blocked_conversation: t('You can’t message each other right now.'),
}
