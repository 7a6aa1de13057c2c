import type { Door } from '@foyer/protocol/door'
import type { NewMessage } from '@foyer/protocol/events'
import type { Message } from '@foyer/protocol/messages'
import type { Session } from '#src/session/session.ts'
import { channelOfEvent, isKnownChannel } from '#src/store/channels.ts'
import { isBusy } from '#src/store/presences.ts'
import type { State } from '#src/store/state.ts'
import type { Store } from '#src/store/store.ts'
import { loadIfFollowed } from '#src/thread-rooms/in-use/loading.ts'
import { missedOf } from '#src/thread-rooms/in-use/missed-threads.ts'
import { type Attention, Tabs } from './attention.ts'
import { callNotice, callTag, ringChanges, ringingIn } from './call-notices.ts'
import { chime } from './chime.ts'
import { readDevice } from './device/device-settings.ts'
import { subscribeDevice } from './device/subscription.ts'
import { keepMutes } from './keep-mutes.ts'
import { noticeOf } from './notice.ts'
import { alertsOfRaid, KnownDoors, raidNotice, raidTag } from './raid-alerts.ts'
import { shouldNotify, shouldNotifyFollower } from './should-notify.ts'
import { closeNotices, showNotice } from './show-notice.ts'

/**
 * Notifies the user about messages and calls while the app is open.
 * @param earlier state to compare with: channels may have been read and calls begun while this module was loading
 * @returns a function to stop
 */
export function startNotifier(session: Session, earlier: State): () => void {
  const { client, store } = session
  const tabs = new Tabs()
  renewSubscription(session)
  const stops = [
    keepMutes(store, document),
    leadWhileReceiving(tabs, store),
    client.gateway.on('MESSAGE_CREATE', (message) => {
      const state = store.get()
      // Messages before READY show up as unread instead.
      if (state.connection !== 'ready' || !mayNotify(session, message)) return
      tabs.report(message.id, attentionTo(message), async (attention) => {
        if (await isStillWanted(session, message)) notify(store.get(), message, attention)
      })
    }),
    ...watchDoors(session, tabs),
    store.api.subscribe(follow),
    () => tabs.close(),
  ]
  function follow(state: State, before: State) {
    for (const id of justRead(state, before)) close(id)
    const { begun, ended } = ringChanges(state, before)
    for (const id of begun) {
      const attention = isLookedAt() ? 'focused' : 'away'
      tabs.report(callTag(id), attention, (highest) => notifyOfCall(store.get(), id, highest))
    }
    for (const id of ended) close(callTag(id))
  }
  follow(store.get(), earlier)
  return () => {
    for (const stop of stops) stop()
  }
}

/** Returns true if the message may notify. If its thread is not loaded, `isStillWanted` checks later if the user follows it. */
function mayNotify(session: Session, message: NewMessage): boolean {
  const state = session.store.get()
  return (
    shouldNotify(state, message) || (missedOf(session).hasFollowed && shouldNotifyFollower(state, message))
  )
}

/** Loads the thread if necessary. Returns false if it is muted or not followed. If the server does not answer, mentions notify. */
async function isStillWanted(session: Session, message: NewMessage): Promise<boolean> {
  const id = channelOfEvent(message)
  const isNamed = shouldNotify(session.store.get(), message)
  if (!isNamed) await missedOf(session).loadFollowed(id)
  else if (!isKnownChannel(session.store.get(), id)) await loadIfFollowed(session, id).catch(() => undefined)
  return shouldNotify(session.store.get(), message)
}

/** Alerts moderators when the sensor closes a door, and closes the notification once it is open again. */
function watchDoors({ client, store }: Session, tabs: Tabs): (() => void)[] {
  const doors = new KnownDoors()
  doors.note(Object.values(store.get().spaces))
  return [
    client.gateway.on('READY', ({ spaces }) => doors.note(spaces)),
    client.gateway.on('SPACE_CREATE', (space) => doors.note([space])),
    client.gateway.on('SPACE_DOOR_UPDATE', (door) => {
      const state = store.get()
      if (door.closed_at === null) return close(raidTag(door.space_id))
      if (!doors.isNewRaid(door) || state.connection !== 'ready' || !alertsOfRaid(state, door.space_id))
        return
      const id = `${raidTag(door.space_id)} ${door.closed_at}`
      tabs.report(id, isLookedAt() ? 'focused' : 'away', (attention) =>
        notifyOfRaid(store.get(), door, attention),
      )
    }),
  ]
}

function notifyOfRaid(state: State, door: Door, attention: Attention): void {
  const { isOn, hasSounds } = readDevice(window.localStorage)
  if (hasSounds) chime()
  if (isOn && attention === 'away') void showNotice(raidNotice(state, door)).catch(() => undefined)
}

/** Gives up the leadership while this tab is disconnected or frozen, so that another tab notifies. */
function leadWhileReceiving(tabs: Tabs, { api }: Store): () => void {
  const standIfConnected = ({ connection }: State) =>
    connection === 'ready' ? tabs.stand() : tabs.withdraw()
  const freeze = () => tabs.withdraw()
  const resume = () => standIfConnected(api.getState())
  const unsubscribe = api.subscribe((state, before) => {
    if (state.connection !== before.connection) standIfConnected(state)
  })
  resume()
  document.addEventListener('freeze', freeze)
  document.addEventListener('resume', resume)
  return () => {
    unsubscribe()
    document.removeEventListener('freeze', freeze)
    document.removeEventListener('resume', resume)
  }
}

function notify(state: State, message: Message, attention: Attention): void {
  const { isOn, hasSounds } = readDevice(window.localStorage)
  if (attention === 'reading') return
  if (hasSounds) chime()
  if (isOn && attention === 'away') void showNotice(noticeOf(state, message)).catch(() => undefined)
}

function attentionTo(message: Message): Attention {
  if (!isLookedAt()) return 'away'
  return document.querySelector(`[data-channel="${channelOfEvent(message)}"]`) ? 'reading' : 'focused'
}

function isLookedAt(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
}

/** Shows a notification of a ringing call if the user is away. The sound is played elsewhere. */
function notifyOfCall(state: State, conversationId: string, attention: Attention): void {
  const call = ringingIn(state, conversationId)
  if (call === undefined || attention !== 'away' || isBusy(state)) return
  if (readDevice(window.localStorage).isOn) void showNotice(callNotice(state, call)).catch(() => undefined)
}

function close(tag: string): void {
  closeNotices(tag).catch(() => undefined)
}

/** Subscribes to pushes again, because the browser's endpoint or the server's key may have changed. */
function renewSubscription({ client }: Session): void {
  const isWanted = readDevice(window.localStorage).isOn && Notification.permission === 'granted'
  if (isWanted) subscribeDevice(client).catch(() => undefined)
}

/** Returns the channels whose last unread messages were just read. */
function justRead({ readStates }: State, before: State): string[] {
  if (readStates === before.readStates) return []
  const unread = Object.entries(before.readStates).filter(([, { unread_count }]) => unread_count > 0)
  return unread.map(([id]) => id).filter((id) => (readStates[id]?.unread_count ?? 0) === 0)
}
