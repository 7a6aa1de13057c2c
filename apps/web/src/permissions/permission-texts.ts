import { Permission, type PermissionName } from '@foyer/protocol/permissions'
import { t } from '#src/language/texts.ts'

export interface PermissionText {
  readonly name: PermissionName
  readonly flag: number
  readonly label: string
  /** One sentence that describes what it allows. */
  readonly description: string
}

export interface PermissionGroup {
  readonly title: string
  readonly permissions: readonly PermissionText[]
}

/** UI texts of all permissions, in display order. */
export const permissionGroups: readonly PermissionGroup[] = [
  {
    title: t('General'),
    permissions: [
      text('ViewChannels', t('View rooms'), t('See rooms and read what is in them.')),
      text(
        'ManageRoles',
        t('Manage roles'),
        t('Create, edit and delete roles below one’s own, and give them to members.'),
      ),
      text(
        'Administrator',
        t('Administrator'),
        t(
          'Everything, in every room, whatever else is set, and the bans and settings of the space. Give it to few.',
        ),
      ),
    ],
  },
  {
    title: t('Rooms'),
    permissions: [
      text(
        'ManageChannels',
        t('Manage rooms'),
        t('Create, edit and delete rooms, and set who may do what in them.'),
      ),
    ],
  },
  {
    title: t('Members'),
    permissions: [
      text('CreateInvites', t('Create invites'), t('Make links with which others join.')),
      text('ManageInvites', t('Manage invites'), t('See all invite links, and revoke them.')),
      text('ChangeNickname', t('Change nickname'), t('Choose one’s own name for this space.')),
      text('ManageBots', t('Manage bots'), t('Add bots to the space, and remove them.')),
    ],
  },
  {
    title: t('Messages'),
    permissions: [
      text('SendMessages', t('Send messages'), t('Write in text rooms.')),
      text(
        'ManageMessages',
        t('Manage messages'),
        t('Delete what others wrote, take away their reactions, and mention @everyone.'),
      ),
      text('PinMessages', t('Pin messages'), t('Pin messages to a room, and take them off.')),
    ],
  },
  {
    title: t('Voice'),
    permissions: [
      text('JoinVoice', t('Join voice'), t('Enter voice rooms and listen.')),
      text('SpeakInVoice', t('Speak'), t('Be heard in voice rooms.')),
    ],
  },
  {
    title: t('Files and more'),
    permissions: [
      text('ManageSpaceEmojis', t('Manage emojis'), t('Add, rename and delete the emojis of the space.')),
      text(
        'ManageSpaceStickers',
        t('Manage stickers'),
        t('Add, rename and delete the stickers of the space.'),
      ),
      text('ManageSpaceAttachments', t('Manage files'), t('See what the space stores, and delete it.')),
      text(
        'ManageSpaceBuckets',
        t('Manage storage'),
        t('Set where the files of the space are kept, and how many.'),
      ),
      text('ManageSpaceWebhooks', t('Manage webhooks'), t('Create, edit and delete webhooks.')),
    ],
  },
]

export const permissionTexts: readonly PermissionText[] = permissionGroups.flatMap(
  (group) => group.permissions,
)

function text(name: PermissionName, label: string, description: string): PermissionText {
  return { name, flag: Permission[name], label, description }
}
