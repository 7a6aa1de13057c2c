import type { Events } from '@foyer/protocol/events'
import {
  DEFAULT_CONVERSATION_LEVEL,
  DEFAULT_SPACE_LEVEL,
  isMuted,
  MUTED_FOR_EVER,
  type NotificationLevel,
  type NotificationSetting,
} from '@foyer/protocol/notifications'
import { type State, type ThreadEntry, without } from './state.ts'

export const notificationSettingReducers = {
  NOTIFICATION_SETTING_UPDATE: (
    state: State,
    setting: Events['NOTIFICATION_SETTING_UPDATE'],
    at: number,
  ): State => ({ ...state, notificationSettings: withSetting(state.notificationSettings, setting, at) }),
}

type Settings = State['notificationSettings']

/** The parts of the state that decide which channels are muted. */
export type Mutes = Pick<State, 'notificationSettings' | 'rooms' | 'threads'>

/** Returns the settings of READY by space, room or conversation id. */
export function notificationSettingsOf(settings: readonly NotificationSetting[], at: number): Settings {
  return settings.reduce<Settings>((kept, setting) => withSetting(kept, setting, at), {})
}

/** Removes expired mutes. */
export function withMutesEnded(state: State, _data: null, at: number): State {
  const settings = Object.values(state.notificationSettings)
  const over = settings.filter((setting) => setting.muted_until !== null && !isMuted(setting, at))
  if (over.length === 0) return state
  const notificationSettings = over.reduce<Settings>(
    (kept, setting) => withSetting(kept, setting, at),
    state.notificationSettings,
  )
  return { ...state, notificationSettings }
}

/** Returns the end of the next mute to expire, in milliseconds since 1970, or infinity. */
export function nextMuteEnd({ notificationSettings }: Pick<State, 'notificationSettings'>): number {
  const ends = Object.values(notificationSettings).flatMap(({ muted_until }) =>
    muted_until === null ? [] : [Date.parse(muted_until)],
  )
  return Math.min(Number.POSITIVE_INFINITY, ...ends)
}

/** Returns true if the channel, its category or its space is muted. */
export function isChannelMuted(state: Mutes, channelId: string): boolean {
  return settingsAbove(state, channelId).some((setting) => setting.muted_until !== null)
}

export function isSpaceMuted({ notificationSettings }: State, spaceId: string): boolean {
  return (notificationSettings[spaceId]?.muted_until ?? null) !== null
}

/** Returns the notification level of a channel, ignoring mutes. */
export function notificationLevel(state: State, channelId: string): NotificationLevel {
  const chosen = settingsAbove(state, channelId).find(({ level }) => level !== null)?.level
  return chosen ?? (channelId in state.conversations ? DEFAULT_CONVERSATION_LEVEL : DEFAULT_SPACE_LEVEL)
}

/** Returns the level that a room or space inherits without a level of its own. */
export function levelAbove(state: State, id: string): NotificationLevel {
  if (id in state.conversations) return DEFAULT_CONVERSATION_LEVEL
  const above = settingsAbove(state, id).filter((setting) => setting.id !== id)
  return above.find(({ level }) => level !== null)?.level ?? DEFAULT_SPACE_LEVEL
}

type Applied = Pick<NotificationSetting, 'id' | 'level' | 'muted_until'>

/** Returns the settings that apply to a channel, most specific first: thread, room, category, space. */
function settingsAbove(state: Mutes, channelId: string): Applied[] {
  const thread = state.threads[channelId]
  if (thread === undefined) return chosenSettings(state, channelId)
  return [followSetting(thread), ...chosenSettings(state, thread.parent_id)]
}

function chosenSettings({ notificationSettings, rooms }: Mutes, channelId: string): NotificationSetting[] {
  const room = rooms[channelId]
  return [channelId, room?.parent_id ?? '', room?.space_id ?? ''].flatMap((id) => {
    const setting = notificationSettings[id]
    return setting === undefined ? [] : [setting]
  })
}

/** Returns the level at which the user follows a thread. A thread that they do not follow counts as muted. */
function followSetting({ id, follow }: ThreadEntry): Applied {
  const isQuiet = follow === null || follow === 'muted'
  return { id, level: isQuiet ? null : follow, muted_until: isQuiet ? MUTED_FOR_EVER : null }
}

/** Adds a setting without an expired mute, or removes it if it has no effect. */
function withSetting(settings: Settings, setting: NotificationSetting, at: number): Settings {
  const muted_until = isMuted(setting, at) ? setting.muted_until : null
  if (setting.level === null && muted_until === null) return without(settings, setting.id)
  return { ...settings, [setting.id]: { ...setting, muted_until } }
}
