import { MAX_BLOCKS, MAX_FRIENDS, MAX_SENT_FRIEND_REQUESTS } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import type { Words } from '#src/ui/form-errors.ts'

/** Messages for error codes of friend and block requests. */
export const friendWords: Words = {
  befriending_oneself: t('That is you. Enter the username of somebody else.'),
  befriending_bot: t('That is a bot, and bots cannot be friends.'),
  already_friends: t('You are friends already.'),
  request_pending: t('There is a friend request between you already: look under Pending.'),
  user_blocked: t('You have blocked this person. Unblock them first, under Blocked.'),
  unknown_user: t('Nobody can be found under this name. Usernames are exact: check how it is written.'),
  unknown_friend: t('You are not friends any more.'),
  unknown_friend_request: t('This request is not there any more: it was answered or taken back.'),
  unknown_block: t('This person is not blocked any more.'),
  too_many_friends: t('One of you has {max} friends already, and there cannot be more.', {
    max: MAX_FRIENDS,
  }),
  too_many_friend_requests: t(
    'You have {max} unanswered requests. Cancel some of them first, under Pending.',
    { max: MAX_SENT_FRIEND_REQUESTS },
  ),
  too_many_received_requests: t('This person has too many unanswered requests. Try again another day.'),
  too_many_blocks: t('You have blocked {max} people already. Unblock somebody first.', { max: MAX_BLOCKS }),
}
