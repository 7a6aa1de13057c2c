import type {
  CreatePushSubscriptionBody,
  NotificationScope,
  NotificationSetting,
  PushKey,
  UpdateNotificationSettingBody,
} from '@foyer/protocol/notifications'
import { type CallOptions, path, type Rest } from '../rest.ts'

/** Notification settings, and browsers that receive pushes. Only for people. */
export class Notifications {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Lists all settings of the caller. READY contains the same. */
  listSettings(options?: CallOptions): Promise<NotificationSetting[]> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/notification-settings' })
  }

  /** Omitted fields stay unchanged; null clears a field. */
  updateSetting(
    scope: NotificationScope,
    id: string,
    body: UpdateNotificationSettingBody,
    options?: CallOptions,
  ): Promise<NotificationSetting> {
    return this.#rest.request({ ...options, method: 'PUT', path: settingPath(scope, id), body })
  }

  /** Resets the setting to its default. */
  deleteSetting(scope: NotificationScope, id: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: settingPath(scope, id) })
  }

  /** Returns the key for the browser's PushManager. */
  pushKey(options?: CallOptions): Promise<PushKey> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/push/key' })
  }

  /** Sends pushes to this browser until the session ends. Subscribing again replaces the subscription. */
  subscribe(body: CreatePushSubscriptionBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'POST', path: SUBSCRIPTIONS, body })
  }

  unsubscribe(endpoint: string, options?: CallOptions): Promise<void> {
    return this.#rest.request({ ...options, method: 'DELETE', path: SUBSCRIPTIONS, body: { endpoint } })
  }
}

const SUBSCRIPTIONS = '/api/users/@me/push-subscriptions'

function settingPath(scope: NotificationScope, id: string): string {
  return path`/api/users/@me/notification-settings/${scope}/${id}`
}
