import { MAX_BLOCKS, MAX_FRIENDS, MAX_SENT_FRIEND_REQUESTS } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/fields/form-errors.ts'

/** Messages for error codes of friend and block requests. */
export const friendWords: Words = {
  befriending_oneself: t('That’s you. Enter someone else’s username.'),
  befriending_bot: t('That’s a bot. You can’t add bots as friends.'),
  already_friends: t('You’re already friends.'),
  request_pending: t('There’s already a friend request between you. Check Pending.'),
  user_blocked: t('You blocked this person. Unblock them under Blocked first.'),
  unknown_user: t('No user with that name. Check the spelling.'),
  unknown_friend: t('You’re no longer friends.'),
  unknown_friend_request: t('This request is no longer pending.'),
  unknown_block: t('This person is no longer blocked.'),
  too_many_friends: t('One of you already has {max} friends, which is the limit.', {
    max: MAX_FRIENDS,
  }),
  too_many_friend_requests: t('You have {max} pending requests. Cancel some under Pending first.', {
    max: MAX_SENT_FRIEND_REQUESTS,
  }),
  too_many_received_requests: t('This person has too many pending requests. Try again later.'),
  too_many_blocks: t('You’ve already blocked {max} people. Unblock someone first.', { max: MAX_BLOCKS }),
}
