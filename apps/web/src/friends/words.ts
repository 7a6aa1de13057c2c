import { MAX_BLOCKS, MAX_FRIENDS, MAX_SENT_FRIEND_REQUESTS } from '@foyer/protocol/limits'
import type { Words } from '#src/ui/form-errors.ts'

/** What to say, and what to do about it, when something between two people was refused. */
export const friendWords: Words = {
  befriending_oneself: 'That is you. Enter the username of somebody else.',
  befriending_bot: 'That is a bot, and bots cannot be friends.',
  already_friends: 'You are friends already.',
  request_pending: 'There is a friend request between you already: look under Pending.',
  user_blocked: 'You have blocked this person. Unblock them first, under Blocked.',
  unknown_user: 'Nobody can be found under this name. Usernames are exact: check how it is written.',
  unknown_friend: 'You are not friends any more.',
  unknown_friend_request: 'This request is not there any more: it was answered or taken back.',
  unknown_block: 'This person is not blocked any more.',
  too_many_friends: `One of you has ${MAX_FRIENDS} friends already, and there cannot be more.`,
  too_many_friend_requests: `You have ${MAX_SENT_FRIEND_REQUESTS} unanswered requests. Cancel some of them first, under Pending.`,
  too_many_received_requests: 'This person has too many unanswered requests. Try again another day.',
  too_many_blocks: `You have blocked ${MAX_BLOCKS} people already. Unblock somebody first.`,
}
