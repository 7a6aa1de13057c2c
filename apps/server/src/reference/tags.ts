/** Groups of routes, in the order of the reference. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Authentication: 'Accounts, logins, sessions and passwords',
  Users: 'Your own account and other users',
  Friends: 'Friends, friend requests and blocked users',
  Spaces: 'Spaces, their settings and their owners',
  Rooms: 'The rooms of a space',
  Roles: 'Roles of a space and their permissions',
  Overwrites: 'Permissions that roles and members have in one room',
  Members: 'The members of a space',
  'Audit log': 'What was changed in a space, by whom',
  Automod: 'Rules that check what is written in a space, and messages that wait for a moderator',
  Reports: 'Reports of messages, users and spaces, and those who decide about them',
  Door: 'The door of a space, which closes in a raid, and newcomers who wait for a moderator',
  Bans: 'Users who are banned from a space',
  Invites: 'Links to join a space',
  Messages: 'Messages of rooms and conversations, search, and read states',
  Threads: 'Threads of text rooms, and who follows them',
  Forums: 'Rooms whose entries are threads',
  Reactions: 'Emojis on messages',
  Pins: 'Pinned messages of rooms and conversations',
  Attachments: 'Files of messages and images of spaces',
  'Storage buckets': 'Where a space keeps its files',
  Emojis: 'Emojis of a space',
  Stickers: 'Stickers of a space',
  Embeds: 'Media that messages link to',
  Conversations: 'Direct conversations and groups',
  Voice: 'Voice rooms and calls',
  Notifications: 'When users are notified, and where',
  Applications: 'Bots and their commands',
  Bots: 'Bots in spaces',
  Interactions: 'Commands, buttons and forms of bots, and how bots answer',
  Webhooks: 'Messages that other services send',
  Gateway: 'Live events over a WebSocket',
  Instance: 'The server itself',
  Announcements: 'Banners that operators show to everybody',
  Operators: 'For the people who run the server: accounts, spaces, registration',
  Operations: 'Health and metrics, for operators',
}

/** Returns the document's tags. Tags without a description come last. */
export function tagList(used: readonly string[]): { name: string; description: string }[] {
  const names = new Set([...Object.keys(tagDescriptions), ...used])
  return [...names].map((name) => ({ name, description: tagDescriptions[name] ?? name }))
}
