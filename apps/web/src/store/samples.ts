import type { Door, WaitingSpace } from '@foyer/protocol/door'
import type { Ready } from '@foyer/protocol/events'
import type { MemberWithUser } from '@foyer/protocol/members'
import type { Message } from '@foyer/protocol/messages'
import { DEFAULT_PERMISSIONS } from '@foyer/protocol/permissions'
import type { OwnReport } from '@foyer/protocol/reports'
import type { Role } from '@foyer/protocol/roles'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { SpaceImage } from '@foyer/protocol/space-images'
import type { SpaceState } from '@foyer/protocol/spaces'
import { type OwnThread, THREAD_TYPE } from '@foyer/protocol/thread-rooms'
import type { CurrentUser, User } from '@foyer/protocol/users'
import type { VoiceState } from '@foyer/protocol/voice'

/** Complete wire objects for tests. Each test sets only the fields that matter to it. */

const TIME = '2026-01-01T00:00:00.000Z'

export function sampleUser(id: string, change: Partial<User> = {}): User {
  return {
    id,
    username: id,
    alias: null,
    avatar: null,
    banner: null,
    custom: '',
    flags: 0,
    badges: 0,
    is_bot: false,
    email_verified: true,
    created_at: TIME,
    updated_at: TIME,
    deleted_at: null,
    ...change,
  }
}

export function sampleMember(id: string, change: Partial<MemberWithUser> = {}): MemberWithUser {
  const member = {
    id,
    space_id: 'space',
    user_id: id,
    nickname: null,
    roles: [],
    joined_at: TIME,
    timeout_until: null,
  }
  return { ...member, user: sampleUser(id), position: 0, ...change }
}

export function sampleRoom(id: string, change: Partial<Room> = {}): Room {
  return {
    id,
    space_id: 'space',
    name: id,
    type: RoomType.Text,
    parent_id: null,
    description: null,
    position: 0,
    slow_mode_seconds: 0,
    retention_days: null,
    last_message_id: null,
    last_seq: 0,
    created_at: TIME,
    updated_at: TIME,
    ...change,
  }
}

/** A forum without tags. */
export function sampleForum(id: string, change: Partial<Room> = {}): Room {
  const texts = { guidelines: null, template: null }
  return sampleRoom(id, {
    type: RoomType.Forum,
    forum: { ...texts, tags: [], requires_tag: false, sort: 'activity', layout: 'list' },
    ...change,
  })
}

export function sampleThread(id: string, change: Partial<OwnThread> = {}): OwnThread {
  return {
    id,
    space_id: 'space',
    room_id: 'room',
    type: THREAD_TYPE,
    title: id,
    creator_id: 'other',
    starter_message_id: null,
    quiet_minutes: 4320,
    is_asleep: false,
    is_closed: false,
    message_count: 0,
    last_message_id: null,
    last_seq: 0,
    active_at: TIME,
    created_at: TIME,
    updated_at: TIME,
    own: { follow: 'all', read_seq: 0, unread_count: 0, mention_count: 0 },
    ...change,
  }
}

export function sampleRole(id: string, change: Partial<Role> = {}): Role {
  return {
    id,
    space_id: 'space',
    name: id,
    permissions: 0,
    capabilities: 0,
    color_from: null,
    color_via: null,
    color_to: null,
    hoisted: false,
    position: 0,
    created_at: TIME,
    updated_at: TIME,
    ...change,
  }
}

export function sampleSpace(id: string, change: Partial<SpaceState> = {}): SpaceState {
  const everyone = { space_id: id, name: '@everyone', permissions: DEFAULT_PERMISSIONS }
  return {
    id,
    name: id,
    description: null,
    icon: null,
    banner: null,
    owner_id: 'owner',
    locale: null,
    system_room_id: null,
    audit_log_days: 90,
    retention_days: null,
    door_closed_at: null,
    frozen_at: null,
    needs_second_factor: false,
    created_at: TIME,
    updated_at: TIME,
    rooms: [],
    overwrites: [],
    roles: [sampleRole(id, everyone)],
    emojis: [],
    stickers: [],
    member: {
      id: 'me',
      space_id: id,
      user_id: 'me',
      nickname: null,
      roles: [],
      joined_at: TIME,
      timeout_until: null,
    },
    member_count: 2,
    voice_states: [],
    ...change,
  }
}

/** An open door without newcomers. */
export function sampleDoor(change: Partial<Door> = {}): Door {
  return {
    space_id: 'space',
    closed_at: null,
    closed_by: null,
    cause: null,
    newcomers: 0,
    sensor: true,
    sensor_joins: 20,
    ...change,
  }
}

export function sampleWaitingSpace(id: string, change: Partial<WaitingSpace> = {}): WaitingSpace {
  return { id, name: id, description: null, icon: null, banner: null, waiting_since: TIME, ...change }
}

export function sampleSpaceImage(id: string, change: Partial<SpaceImage> = {}): SpaceImage {
  return {
    id,
    space_id: 'space',
    name: id,
    attachment_id: `picture-${id}`,
    creator_id: 'me',
    animated: false,
    created_at: TIME,
    ...change,
  }
}

export function sampleMessage(seq: number, change: Partial<Message> = {}): Message {
  return {
    id: `message-${seq}`,
    room_id: 'room',
    conversation_id: null,
    space_id: 'space',
    seq,
    type: 0,
    author: sampleUser('other'),
    member: null,
    content: `text ${seq}`,
    created_at: TIME,
    edited_at: null,
    pinned: false,
    flags: 0,
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    attachments: [],
    embeds: [],
    stickers: [],
    reactions: [],
    components: [],
    reference: null,
    referenced_message: null,
    thread_id: null,
    replies: null,
    snapshot: null,
    webhook_id: null,
    application_id: null,
    interaction: null,
    call: null,
    nonce: null,
    ...change,
  }
}

/** Voice state of a user in the voice room `lounge`. */
export function sampleVoice(userId: string, change: Partial<VoiceState> = {}): VoiceState {
  const flags = { self_mute: false, self_deaf: false, self_video: false, self_stream: false }
  return {
    user_id: userId,
    space_id: 'space',
    room_id: 'lounge',
    conversation_id: null,
    session_id: `session of ${userId}`,
    ...flags,
    mute: false,
    deaf: false,
    joined_at: TIME,
    ...change,
  }
}

export function sampleReady(change: Partial<Ready> = {}): Ready {
  const hidden = { birthdate: null, phone: null, custom_until: null, web_presence: 'name' } as const
  const user: CurrentUser = { ...sampleUser('me'), ...hidden }
  return {
    user,
    status: 'online',
    status_until: null,
    spaces: [sampleSpace('space', { rooms: [sampleRoom('room')] })],
    waiting_spaces: [],
    conversations: [],
    friends: [],
    friend_requests: [],
    blocks: [],
    read_states: [],
    presences: [],
    voice_states: [],
    calls: [],
    notification_settings: [],
    ice_servers: [],
    session_id: 'session',
    server_time: '2026-01-01T00:00:00.000Z',
    server: { version: '0', limits: {} },
    ...change,
  }
}

export function sampleOwnReport(change: Partial<OwnReport> = {}): OwnReport {
  return {
    id: 'report',
    target_type: 'message',
    target_id: 'message-1',
    about: 'Buy boots!',
    reason: 'spam',
    text: '',
    state: 'open',
    result: null,
    answer: null,
    created_at: TIME,
    closed_at: null,
    ...change,
  }
}
