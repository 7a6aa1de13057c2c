import { fragment } from '#src/kernel/sql/sql.ts'
import { byUser, id, listed, type Section, text } from './listing.ts'

/** Sections about the account and its use. */
export const accountSections: readonly Section[] = [
  {
    name: 'sessions',
    title: 'Devices that are signed in',
    pages: listed({
      source: fragment`sessions`,
      columns: fragment`id, device, address, has_second_factor, created_at, last_used_at, expires_at`,
      owner: byUser,
      key: id,
    }),
  },
  {
    name: 'account-changes',
    title: 'Changes of the account that a mailed link can take back',
    pages: listed({
      source: fragment`account_snapshots`,
      columns: fragment`change, device, address, email, created_at, expires_at`,
      owner: byUser,
      key: id,
      type: fragment`bigint`,
    }),
  },
  {
    name: 'passkeys',
    title: 'Passkeys',
    pages: listed({
      source: fragment`passkeys`,
      columns: fragment`id, name, is_backed_up, created_at, last_used_at`,
      owner: byUser,
      key: id,
    }),
  },
  {
    name: 'identities',
    title: 'Accounts at sign-in providers',
    pages: listed({
      source: fragment`identities`,
      columns: fragment`issuer, subject, name, created_at`,
      owner: byUser,
      key: fragment`issuer`,
      type: text,
    }),
  },
  {
    name: 'notification-settings',
    title: 'Notification settings',
    pages: listed({
      source: fragment`notification_settings`,
      columns: fragment`tenant_id, channel_id, scope, level, muted_until`,
      owner: byUser,
      key: fragment`channel_id`,
    }),
  },
  {
    name: 'push-subscriptions',
    title: 'Browsers that get push notifications',
    pages: listed({
      source: fragment`push_subscriptions`,
      // Only the host: the rest of the address is a secret between the server and the push service.
      columns: fragment`id, split_part(endpoint, '/', 3) as push_service, created_at`,
      owner: byUser,
      key: id,
    }),
  },
  {
    name: 'applications',
    title: 'Applications',
    pages: listed({
      source: fragment`applications`,
      columns: fragment`id, name, description, bot_public, created_at`,
      owner: fragment`owner_id`,
      key: id,
    }),
  },
  {
    name: 'operator',
    title: 'Being an operator of the server',
    pages: listed({ source: fragment`operators`, columns: fragment`created_at`, owner: byUser, key: byUser }),
  },
  {
    name: 'operator-log',
    title: 'What you did as an operator',
    pages: listed({
      source: fragment`operator_log`,
      columns: fragment`id, action, target_type, target_id, reason, created_at`,
      owner: fragment`actor_id`,
      key: id,
    }),
  },
  {
    name: 'operator-invites',
    title: 'Invites to the server that you made',
    pages: listed({
      source: fragment`operator_invites`,
      columns: fragment`id, note, uses, max_uses, expires_at, created_at`,
      owner: fragment`created_by`,
      key: id,
    }),
  },
]
