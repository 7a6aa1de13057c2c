import { fragment } from '#src/kernel/sql/sql.ts'
import { accountSections } from './account-sections.ts'
import { byUser, id, listed, listedBySpace, reactionPages, type Section } from './listing.ts'
import { spaceSections } from './space-sections.ts'

const people: readonly Section[] = [
  {
    name: 'friends',
    title: 'Friends',
    pages: listed({
      source: fragment`friendships join users on users.id = friend_id`,
      columns: fragment`friend_id, username, since`,
      owner: byUser,
      key: fragment`friend_id`,
    }),
  },
  {
    name: 'friend-requests-sent',
    title: 'Friend requests that you sent',
    pages: listed({
      source: fragment`friend_requests join users on users.id = receiver_id`,
      columns: fragment`friend_requests.id, receiver_id, username, friend_requests.created_at`,
      owner: fragment`sender_id`,
      key: fragment`friend_requests.id`,
    }),
  },
  {
    name: 'friend-requests-received',
    title: 'Friend requests that you received',
    pages: listed({
      source: fragment`friend_requests join users on users.id = sender_id`,
      columns: fragment`friend_requests.id, sender_id, username, friend_requests.created_at`,
      owner: fragment`receiver_id`,
      key: fragment`friend_requests.id`,
    }),
  },
  {
    name: 'blocks',
    title: 'People you blocked',
    pages: listed({
      source: fragment`blocks join users on users.id = blocked_id`,
      columns: fragment`blocked_id, username, blocks.created_at`,
      owner: byUser,
      key: fragment`blocked_id`,
    }),
  },
  {
    name: 'conversations',
    title: 'Conversations you are in',
    pages: listed({
      source: fragment`conversation_members join conversations on conversations.id = conversation_id`,
      columns: fragment`conversation_id, type, name, joined_at, closed_at, owner_id = user_id as is_owner`,
      owner: byUser,
      key: fragment`conversation_id`,
    }),
  },
]

const writing: readonly Section[] = [
  { name: 'reactions', title: 'Reactions', pages: reactionPages },
  {
    name: 'pins',
    title: 'Messages you pinned',
    pages: listed({
      source: fragment`pins`,
      columns: fragment`tenant_id, channel_id, message_id, pinned_at`,
      owner: fragment`pinned_by`,
      key: fragment`message_id`,
    }),
  },
  {
    name: 'read-states',
    title: 'How far you have read',
    pages: listed({
      source: fragment`read_states`,
      columns: fragment`tenant_id, channel_id, last_read_seq, mention_count, updated_at`,
      owner: byUser,
      key: fragment`channel_id`,
    }),
  },
  {
    name: 'held-messages',
    title: 'Messages that wait for a moderator',
    pages: listed({
      source: fragment`held_messages`,
      columns: fragment`space_id, id, room_id, body, begins`,
      owner: byUser,
      key: id,
    }),
  },
  {
    name: 'automod-hits',
    title: 'What AutoMod found in your texts',
    pages: listedBySpace({
      table: fragment`automod_hits`,
      columns: fragment`space_id, id, room_id, source, text`,
      owner: byUser,
    }),
  },
  {
    name: 'reports',
    title: 'Reports you made',
    pages: listed({
      source: fragment`reports`,
      columns: fragment`
        id, target_type, target_id, reason, text, state, answer, created_at, closed_at`,
      owner: fragment`reporter_id`,
      key: id,
    }),
  },
]

/** All sections, in the order of the start page. Messages, files and the profile are separate. */
export const sections: readonly Section[] = [...accountSections, ...people, ...spaceSections, ...writing]
