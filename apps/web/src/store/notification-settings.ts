import type { Events } from '@foyer/protocol/events'
import {
  DEFAULT_CONVERSATION_LEVEL,
  DEFAULT_SPACE_LEVEL,
  isMuted,
  type NotificationLevel,
  type NotificationSetting,
} from '@foyer/protocol/notifications'
import { type State, without } from './state.ts'

export const notificationSettingReducers = {
  NOTIFICATION_SETTING_UPDATE: (
    state: State,
    setting: Events['NOTIFICATION_SETTING_UPDATE'],
    at: number,
  ): State => ({ ...state, notificationSettings: withSetting(state.notificationSettings, setting, at) }),
}

type Settings = State['notificationSettings']

/** Whatever says what is muted. */
export type Mutes = Pick<State, 'notificationSettings' | 'rooms'>

/** What READY tells, by the id of what it is for. */
export function notificationSettingsOf(settings: readonly NotificationSetting[], at: number): Settings {
  return settings.reduce<Settings>((kept, setting) => withSetting(kept, setting, at), {})
}

/** The state without the mutes whose time is over. */
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

/** When the next mute ends, in milliseconds since 1970; infinity where none does. */
export function nextMuteEnd({ notificationSettings }: Pick<State, 'notificationSettings'>): number {
  const ends = Object.values(notificationSettings).flatMap(({ muted_until }) =>
    muted_until === null ? [] : [Date.parse(muted_until)],
  )
  return Math.min(Number.POSITIVE_INFINITY, ...ends)
}

/** Whether a channel calls for nobody: it, its category or its space is muted. */
export function isChannelMuted(state: Mutes, channelId: string): boolean {
  return settingsAbove(state, channelId).some((setting) => setting.muted_until !== null)
}

export function isSpaceMuted({ notificationSettings }: State, spaceId: string): boolean {
  return (notificationSettings[spaceId]?.muted_until ?? null) !== null
}

/** Of which messages of a channel the reader wants to be told, muted or not. */
export function notificationLevel(state: State, channelId: string): NotificationLevel {
  const chosen = settingsAbove(state, channelId).find(({ level }) => level !== null)?.level
  return chosen ?? (channelId in state.conversations ? DEFAULT_CONVERSATION_LEVEL : DEFAULT_SPACE_LEVEL)
}

/** What holds for a room or a space where nothing is chosen for it. */
export function levelAbove(state: State, id: string): NotificationLevel {
  if (id in state.conversations) return DEFAULT_CONVERSATION_LEVEL
  const above = settingsAbove(state, id).filter((setting) => setting.id !== id)
  return above.find(({ level }) => level !== null)?.level ?? DEFAULT_SPACE_LEVEL
}

/** The settings that bear on a channel, the nearest first: a room's own, its category's, its space's. */
function settingsAbove({ notificationSettings, rooms }: Mutes, channelId: string): NotificationSetting[] {
  const room = rooms[channelId]
  return [channelId, room?.parent_id ?? '', room?.space_id ?? ''].flatMap((id) => {
    const setting = notificationSettings[id]
    return setting === undefined ? [] : [setting]
  })
}

/** A mute that is over is none, and where nothing is chosen there is no setting. */
function withSetting(settings: Settings, setting: NotificationSetting, at: number): Settings {
  const muted_until = isMuted(setting, at) ? setting.muted_until : null
  if (setting.level === null && muted_until === null) return without(settings, setting.id)
  return { ...settings, [setting.id]: { ...setting, muted_until } }
}
