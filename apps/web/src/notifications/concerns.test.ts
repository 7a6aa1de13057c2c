import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Message, MessageFlag, MessageType } from '@foyer/protocol/messages'
import { MUTED_FOR_EVER, type NotificationSetting } from '@foyer/protocol/notifications'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleMessage, sampleReady, sampleUser } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { concernsReader } from './concerns.ts'
import { noticeOf } from './notice.ts'

const me = sampleUser('me')
const mention = sampleMessage(1, { mentions: [me] })

test('in a room mentions concern one, or all messages where one chose that, or none', () => {
  const levels = (['all', 'mentions', 'none'] as const).map((level) => chosen({ level }))
  const told = (message: Message) => [chosen(), ...levels].map((state) => concernsReader(state, message))
  assert.deepEqual(told(sampleMessage(1)), [false, true, false, false])
  assert.deepEqual(told(mention), [true, true, true, false])
})

test('what one said oneself, what is muted, quiet, of elsewhere or no message concerns nobody', () => {
  const muted = chosen({ level: 'all', muted_until: MUTED_FOR_EVER })
  assert.equal(concernsReader(muted, mention), false)
  const changes: Partial<Message>[] = [
    { author: me },
    { flags: MessageFlag.SuppressNotifications },
    { type: MessageType.PinNotice },
    { room_id: 'unknown' },
  ]
  for (const change of changes)
    assert.equal(concernsReader(chosen({ level: 'all' }), { ...mention, ...change }), false)
})

test('who does not want to be disturbed is told nothing, nor of whom one has blocked', () => {
  const presence = { user_id: 'me', status: 'dnd', custom: null } as const
  assert.equal(concernsReader(reduceEvent(chosen(), 'PRESENCE_UPDATE', presence, 0), mention), false)
  const block = { user: mention.author, since: mention.created_at }
  assert.equal(concernsReader(reduceEvent(chosen(), 'BLOCK_CREATE', block, 0), mention), false)
})

test('a notice says who, where and what, under the tag of its channel', () => {
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
