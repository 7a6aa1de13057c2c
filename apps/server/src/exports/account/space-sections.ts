import { fragment } from '#src/kernel/sql/sql.ts'
import { byUser, id, listed, listedBySpace, type Section } from './listing.ts'

/** The person's data in spaces. */
export const spaceSections: readonly Section[] = [
  {
    name: 'spaces',
    title: 'Spaces you are in',
    pages: listed({
      source: fragment`members join spaces on spaces.id = space_id and deleted_at is null`,
      columns: fragment`space_id, name, nickname, joined_at, is_temporary, owner_id = user_id as is_owner`,
      owner: byUser,
      key: fragment`space_id`,
    }),
  },
  {
    name: 'roles',
    title: 'Your roles',
    pages: listed({
      source: fragment`
        member_roles join roles on roles.space_id = member_roles.space_id and roles.id = role_id`,
      columns: fragment`member_roles.space_id, role_id, name`,
      owner: byUser,
      key: fragment`role_id`,
    }),
  },
  {
    name: 'threads',
    title: 'Threads you started',
    pages: listedBySpace({
      table: fragment`thread_rooms`,
      columns: fragment`
        space_id, id, room_id, title, starter_message_id, is_closed, created_at, active_at,
        (select array_agg(tag ->> 'name')
          from posts join rooms on rooms.space_id = posts.space_id and rooms.id = posts.room_id
            cross join jsonb_array_elements(rooms.forum -> 'tags') as tag
          where posts.space_id = thread_rooms.space_id and posts.id = thread_rooms.id
            and (tag ->> 'id')::uuid = any(tag_ids)) as tags,
        (select solved_message_id from posts
          where posts.space_id = thread_rooms.space_id and posts.id = thread_rooms.id) as solved_message_id`,
      owner: fragment`creator_id`,
    }),
  },
  {
    name: 'followed-threads',
    title: 'Threads you follow',
    pages: listed({
      source: fragment`thread_follows`,
      columns: fragment`space_id, thread_id, level, followed_at`,
      owner: byUser,
      key: fragment`thread_id`,
    }),
  },
  {
    name: 'newcomers',
    title: 'Doors behind which you waited',
    pages: listed({
      source: fragment`newcomers`,
      columns: fragment`space_id, joined_at, waiting_since, has_left`,
      owner: byUser,
      key: fragment`space_id`,
    }),
  },
  {
    name: 'bans',
    title: 'Spaces that banned you',
    pages: listed({
      source: fragment`bans`,
      columns: fragment`space_id, created_at`,
      owner: byUser,
      key: fragment`space_id`,
    }),
  },
  {
    name: 'timeouts',
    title: 'Timeouts',
    pages: listed({
      source: fragment`timeouts`,
      columns: fragment`space_id, until, created_at`,
      owner: byUser,
      key: fragment`space_id`,
    }),
  },
  {
    name: 'appeals',
    title: 'Appeals against bans',
    pages: listed({
      source: fragment`appeals`,
      columns: fragment`space_id, id, text, state, answer, created_at, decided_at`,
      owner: byUser,
      key: id,
    }),
  },
  {
    name: 'audit-log',
    title: 'What you changed in spaces',
    pages: listedBySpace({
      table: fragment`audit_log`,
      columns: fragment`space_id, id, action, target_type, target_id, room_id, reason`,
      owner: fragment`actor_id`,
    }),
  },
  {
    name: 'invites',
    title: 'Invites you made',
    pages: listed({
      source: fragment`invites`,
      columns: fragment`space_id, id, room_id, uses, max_uses, max_age, temporary, expires_at, created_at`,
      owner: fragment`inviter_id`,
      key: id,
    }),
  },
  {
    name: 'webhooks',
    title: 'Webhooks you made',
    pages: listed({
      source: fragment`webhooks`,
      columns: fragment`space_id, id, room_id, name, created_at`,
      owner: fragment`creator_id`,
      key: id,
    }),
  },
  {
    name: 'group-roles',
    title: 'Roles that you gave to groups',
    pages: listed({
      source: fragment`group_roles`,
      columns: fragment`space_id, id, role_id, created_at`,
      owner: fragment`set_by`,
      key: id,
    }),
  },
  {
    name: 'emojis-and-stickers',
    title: 'Emojis and stickers you added',
    pages: listed({
      source: fragment`space_images`,
      columns: fragment`space_id, kind, id, name, animated, created_at`,
      owner: fragment`creator_id`,
      key: id,
    }),
  },
]
