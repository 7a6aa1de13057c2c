import { Permission, type PermissionName } from '@foyer/protocol/permissions'

export interface PermissionText {
  readonly name: PermissionName
  readonly flag: number
  readonly label: string
  /** One sentence: what it lets somebody do. */
  readonly description: string
}

export interface PermissionGroup {
  readonly title: string
  readonly permissions: readonly PermissionText[]
}

/** Every permission once, as people are told of it, in the order in which they are shown. */
export const permissionGroups: readonly PermissionGroup[] = [
  {
    title: 'General',
    permissions: [
      text('ViewChannels', 'View rooms', 'See rooms and read what is in them.'),
      text(
        'ManageRoles',
        'Manage roles',
        'Create, edit and delete roles below one’s own, and give them to members.',
      ),
      text(
        'Administrator',
        'Administrator',
        'Everything, in every room, whatever else is set, and the bans and settings of the space. Give it to few.',
      ),
    ],
  },
  {
    title: 'Rooms',
    permissions: [
      text(
        'ManageChannels',
        'Manage rooms',
        'Create, edit and delete rooms, and set who may do what in them.',
      ),
    ],
  },
  {
    title: 'Members',
    permissions: [
      text('CreateInvites', 'Create invites', 'Make links with which others join.'),
      text('ManageInvites', 'Manage invites', 'See all invite links, and revoke them.'),
      text('ChangeNickname', 'Change nickname', 'Choose one’s own name for this space.'),
      text('ManageBots', 'Manage bots', 'Add bots to the space, and remove them.'),
    ],
  },
  {
    title: 'Messages',
    permissions: [
      text('SendMessages', 'Send messages', 'Write in text rooms.'),
      text('ManageMessages', 'Manage messages', 'Delete what others wrote.'),
      text('PinMessages', 'Pin messages', 'Pin messages to a room, and take them off.'),
    ],
  },
  {
    title: 'Voice',
    permissions: [
      text('JoinVoice', 'Join voice', 'Enter voice rooms and listen.'),
      text('SpeakInVoice', 'Speak', 'Be heard in voice rooms.'),
    ],
  },
  {
    title: 'Files and more',
    permissions: [
      text('ManageSpaceEmojis', 'Manage emojis', 'Add, rename and delete the emojis of the space.'),
      text('ManageSpaceStickers', 'Manage stickers', 'Add, rename and delete the stickers of the space.'),
      text('ManageSpaceAttachments', 'Manage files', 'See what the space stores, and delete it.'),
      text(
        'ManageSpaceBuckets',
        'Manage storage',
        'Set where the files of the space are kept, and how many.',
      ),
      text('ManageSpaceWebhooks', 'Manage webhooks', 'Create, edit and delete webhooks.'),
    ],
  },
]

export const permissionTexts: readonly PermissionText[] = permissionGroups.flatMap(
  (group) => group.permissions,
)

function text(name: PermissionName, label: string, description: string): PermissionText {
  return { name, flag: Permission[name], label, description }
}
