/**
 * How a table is distributed over machines. `tenant`: by space, conversation or owner of files, so that each tenant
 * is on one machine. `user`: by user. `everywhere`: a copy on each machine, for tables that are joined with every
 * tenant's and seldom written. `once`: on one machine.
 */
export type Spread =
  | { readonly by: 'tenant' | 'user'; readonly column: string }
  | { readonly by: 'everywhere' | 'once' }

const everywhere: Spread = { by: 'everywhere' }
const once: Spread = { by: 'once' }

/** All tables, except partitions and those of the job queue. */
export const tableSpread: Readonly<Record<string, Spread>> = {
  spaces: byTenant('id'),
  rooms: byTenant('space_id'),
  thread_rooms: byTenant('space_id'),
  thread_follows: byTenant('space_id'),
  posts: byTenant('space_id'),
  post_words: byTenant('space_id'),
  roles: byTenant('space_id'),
  room_overwrites: byTenant('space_id'),
  web_rooms: byTenant('space_id'),
  members: byTenant('space_id'),
  member_roles: byTenant('space_id'),
  group_roles: byTenant('space_id'),
  invites: byTenant('space_id'),
  bans: byTenant('space_id'),
  timeouts: byTenant('space_id'),
  audit_log: byTenant('space_id'),
  automod_rules: byTenant('space_id'),
  automod_hits: byTenant('space_id'),
  held_messages: byTenant('space_id'),
  newcomers: byTenant('space_id'),
  appeals: byTenant('space_id'),
  slow_mode_turns: byTenant('space_id'),
  space_images: byTenant('space_id'),
  webhooks: byTenant('space_id'),
  webhook_pictures: byTenant('space_id'),
  followed_rooms: byTenant('space_id'),
  room_follows: byTenant('space_id'),
  announcement_changes: byTenant('space_id'),
  announcement_log: byTenant('tenant_id'),
  feed_subscriptions: byTenant('space_id'),
  message_copies: byTenant('space_id'),
  remote_follows: byTenant('space_id'),
  conversations: byTenant('id'),
  conversation_members: byTenant('conversation_id'),
  message_heads: byTenant('tenant_id'),
  messages: byTenant('tenant_id'),
  message_nonces: byTenant('tenant_id'),
  message_words: byTenant('tenant_id'),
  search_marks: byTenant('tenant_id'),
  mentions: byTenant('tenant_id'),
  reactions: byTenant('tenant_id'),
  reaction_counts: byTenant('tenant_id'),
  pins: byTenant('tenant_id'),
  events: byTenant('tenant_id'),
  storage_buckets: byTenant('tenant_id'),
  attachments: byTenant('tenant_id'),
  preview_pictures: byTenant('tenant_id'),
  preview_picture_uses: byTenant('tenant_id'),
  calls: byTenant('tenant_id'),
  notification_settings: byTenant('tenant_id'),
  // Read states of a user in all tenants, because one query reads them for all of the user's spaces.
  read_states: { by: 'user', column: 'user_id' },
  // Names and addresses are unique across all users.
  users: everywhere,
  // Joined when rooms are read, for the setting that allows public pages.
  server_settings: everywhere,
  sessions: once,
  push_subscriptions: once,
  bot_tokens: once,
  mail_tokens: once,
  totp: once,
  recovery_codes: once,
  account_snapshots: once,
  known_devices: once,
  passkeys: once,
  passkey_challenges: once,
  owner_proofs: once,
  identities: once,
  spent_oidc_tokens: once,
  applications: once,
  application_commands: once,
  interactions: once,
  interaction_nonces: once,
  ephemeral_messages: once,
  // Relations between two accounts, queried by both.
  friendships: once,
  friend_requests: once,
  blocks: once,
  direct_conversations: once,
  link_previews: once,
  // At most one row per user in voice, so the table is small.
  voice_states: once,
  voice_hosts: once,
  cut_off_processes: once,
  // Small tables of the whole installation.
  operators: once,
  operator_log: once,
  operator_claims: once,
  operator_invites: once,
  announcements: once,
  registrations: once,
  // A report can be in two queues: a space's and the operators'.
  reports: once,
  report_notes: once,
  // Few rows, which are kept for a day.
  exports: once,
  space_imports: once,
  health_samples: once,
  server_processes: once,
  storage_surveys: once,
  backup_runs: once,
  certificates: once,
  acme_accounts: once,
  acme_challenges: once,
  restores: once,
  versions: once,
  migrations: once,
}

/**
 * Returns statements that distribute the tables with Citus. Tables of tenants are colocated, so that joins and
 * foreign keys stay on one machine.
 */
export function citusStatements(): string[] {
  return Object.entries(tableSpread).flatMap(([table, spread]) => statementFor(table, spread))
}

function statementFor(table: string, spread: Spread): string[] {
  if (!('column' in spread)) return spread.by === 'once' ? [] : [`select create_reference_table('${table}');`]
  const group = spread.by === 'user' || table === 'spaces' ? 'none' : 'spaces'
  return [`select create_distributed_table('${table}', '${spread.column}', colocate_with => '${group}');`]
}

function byTenant(column: string): Spread {
  return { by: 'tenant', column }
}
