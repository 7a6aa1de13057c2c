import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Message, MessageFlag, MessageType } from '@foyer/protocol/messages'
import { MUTED_FOR_EVER, type NotificationSetting } from '@foyer/protocol/notifications'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleUser } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { noticeOf } from './notice.ts'
import { shouldNotify, shouldNotifyFollower } from './should-notify.ts'

const me = sampleUser('me')
const mention = sampleMessage(1, { mentions: [me] })

test('a room notifies about mentions, all messages or none, as the user chose', () => {
  const levels = (['all', 'mentions', 'none'] as const).map((level) => chosen({ level }))
  const results = (message: Message) => [chosen(), ...levels].map((state) => shouldNotify(state, message))
  assert.deepEqual(results(sampleMessage(1)), [false, true, false, false])
  assert.deepEqual(results(mention), [true, true, true, false])
})

test('own, muted, silent, unreachable and system messages do not notify', () => {
  const muted = chosen({ level: 'all', muted_until: MUTED_FOR_EVER })
  assert.equal(shouldNotify(muted, mention), false)
  const changes: Partial<Message>[] = [
    { author: me },
    { flags: MessageFlag.SuppressNotifications },
    { type: MessageType.PinNotice },
    { room_id: 'unknown' },
  ]
  for (const change of changes)
    assert.equal(shouldNotify(chosen({ level: 'all' }), { ...mention, ...change }), false)
})

test('nothing notifies while the status is do not disturb, nor do blocked users', () => {
  const presence = { user_id: 'me', status: 'dnd', custom: null } as const
  assert.equal(shouldNotify(reduceEvent(chosen(), 'PRESENCE_UPDATE', presence, 0), mention), false)
  const block = { user: mention.author, since: mention.created_at }
  assert.equal(shouldNotify(reduceEvent(chosen(), 'BLOCK_CREATE', block, 0), mention), false)
})

test('TROOM-17: moved messages notify nobody, wherever they were moved and whom they mention', () => {
  const moved = { ...mention, is_moved: true }
  assert.equal(shouldNotify(chosen({ level: 'all' }), moved), false)
  assert.equal(shouldNotify(chosen(), { ...moved, room_id: 'thread', parent_room_id: 'room' }), false)
})

test('a notification has author, room and text, and the tag of its channel', () => {
  const { title, body, tag, url } = noticeOf(chosen(), sampleMessage(1, { content: '**Tea** at ||five||' }))
  assert.deepEqual(
    [title, body, tag, url],
    ['other (#room, space)', 'Tea at ▇▇▇', 'room', '/spaces/space/rooms/room/message-1'],
  )
  const file = noticeOf(chosen(), sampleMessage(1, { content: '' }))
  assert.equal(file.body, 'Sent a message')
})

function chosen(change: Partial<NotificationSetting> = {}): State {
  const setting = { scope: 'room', id: 'room', level: null, muted_until: null, ...change } as const
  return reduceEvent(initialState, 'READY', sampleReady({ notification_settings: [setting] }), 0)
}

test('a mention in a thread that is not in use notifies, because the user follows it from then on', () => {
  const inThread = { room_id: 'thread', parent_room_id: 'room' }
  assert.equal(shouldNotify(chosen(), { ...mention, ...inThread }), true)
  assert.equal(shouldNotify(chosen({ level: 'all' }), sampleMessage(1, inThread)), false)
  assert.equal(
    shouldNotify(chosen({ level: null, muted_until: MUTED_FOR_EVER }), { ...mention, ...inThread }),
    false,
  )
  assert.equal(noticeOf(chosen(), sampleMessage(1, inThread)).title, 'other (#room, space)')
})

test('TROOM-10: a message in a thread that is not in use notifies its followers, unless its room is muted', () => {
  const message = sampleMessage(1, { room_id: 'thread', parent_room_id: 'room' })
  assert.equal(shouldNotifyFollower(chosen(), message), true)
  const changes = [{ author: me }, { is_moved: true }, { parent_room_id: 'hidden' }, { room_id: 'room' }]
  for (const change of changes) assert.equal(shouldNotifyFollower(chosen(), { ...message, ...change }), false)
  assert.equal(shouldNotifyFollower(chosen({ muted_until: MUTED_FOR_EVER }), message), false)
})
