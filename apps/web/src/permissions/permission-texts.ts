import type { RightName } from '@foyer/protocol/rights'
import { t } from '#src/language/texts.ts'

/** A permission or capability, as users see it. Users see no difference between the two; only the API distinguishes them. */
export interface PermissionText {
  readonly name: RightName
  readonly label: string
  /** Describes the permission in one sentence. */
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
      text('ViewChannels', t('View rooms'), t('View rooms and read their messages.')),
      text(
        'ManageRoles',
        t('Manage roles'),
        t('Create, edit and delete roles below their own, and assign them to members.'),
      ),
      text('ViewAuditLog', t('View audit log'), t('See every change to the space, and who made it.')),
      text(
        'Administrator',
        t('Administrator'),
        t('Grants every permission, everywhere. Only give it to people you trust completely.'),
      ),
    ],
  },
  {
    title: t('Rooms'),
    permissions: [
      text(
        'ManageChannels',
        t('Manage rooms'),
        t('Create, edit and delete rooms, and change their permissions.'),
      ),
    ],
  },
  {
    title: t('Members'),
    permissions: [
      text('CreateInvites', t('Create invites'), t('Create invite links.')),
      text('ManageInvites', t('Manage invites'), t('View and revoke all invite links.')),
      text('ChangeNickname', t('Change nickname'), t('Change their own nickname.')),
      text('ManageNicknames', t('Manage nicknames'), t('Change the nicknames of lower-ranked members.')),
      text(
        'TimeoutMembers',
        t('Time out members'),
        t('Stop lower-ranked members from writing, reacting and speaking for a while.'),
      ),
      text('KickMembers', t('Kick members'), t('Remove lower-ranked members from the space.')),
      text(
        'BanMembers',
        t('Ban members'),
        t('Ban lower-ranked members and people outside the space, and lift bans.'),
      ),
      text('ManageBots', t('Manage bots'), t('Add and remove bots.')),
    ],
  },
  {
    title: t('Messages'),
    permissions: [
      text('SendMessages', t('Send messages'), t('Send messages in text rooms.')),
      text('AttachFiles', t('Attach files'), t('Send files and voice messages.')),
      text(
        'CreateThreads',
        t('Create threads and posts'),
        t('Start threads, and write new posts in forums.'),
      ),
      text('EmbedLinks', t('Show link previews'), t('Send links that show a preview.')),
      text(
        'AddReactions',
        t('Add reactions'),
        t(
          'Add new reactions to messages. Without this permission, members can only use reactions that are already there.',
        ),
      ),
      text(
        'BypassSlowMode',
        t('Ignore slow mode'),
        t('Send messages without waiting in rooms with slow mode.'),
      ),
      text(
        'MentionEveryone',
        t('Mention @everyone'),
        t('Notify everyone in a room with @everyone and @here.'),
      ),
      text(
        'ManageMessages',
        t('Manage messages'),
        t('Delete others’ messages, remove reactions, mention @everyone.'),
      ),
      text(
        'ManageThreads',
        t('Manage threads and posts'),
        t('Close, delete, merge and pin others’ threads and posts, and move messages between them.'),
      ),
      text(
        'ManageAutomod',
        t('Manage AutoMod'),
        t('Set up what AutoMod catches, and post or discard the messages that it holds for review.'),
      ),
      text('ManageReports', t('Manage reports'), t('Read and handle members’ reports.')),
      text('PinMessages', t('Pin messages'), t('Pin and unpin messages.')),
    ],
  },
  {
    title: t('Voice'),
    permissions: [
      text('JoinVoice', t('Join voice'), t('Join voice rooms and listen.')),
      text('SpeakInVoice', t('Speak'), t('Talk in voice rooms.')),
      text('UseVideo', t('Use camera'), t('Turn on their camera in voice rooms.')),
      text('ShareScreen', t('Share screen'), t('Share their screen and its sound in voice rooms.')),
      text(
        'MoveMembers',
        t('Move members'),
        t('Move lower-ranked members to other voice rooms, or disconnect them.'),
      ),
    ],
  },
  {
    title: t('Files and more'),
    permissions: [
      text('ManageSpaceEmojis', t('Manage emoji'), t('Add, rename and delete emoji.')),
      text('ManageSpaceStickers', t('Manage stickers'), t('Add, rename and delete stickers.')),
      text('ManageSpaceAttachments', t('Manage files'), t('View and delete the space’s files.')),
      text(
        'ManageSpaceBuckets',
        t('Manage storage'),
        t('Manage where files are stored and how much space they use.'),
      ),
      text('ManageSpaceWebhooks', t('Manage webhooks'), t('Create, edit and delete webhooks.')),
    ],
  },
]

export const permissionTexts: readonly PermissionText[] = permissionGroups.flatMap(
  (group) => group.permissions,
)

function text(name: RightName, label: string, description: string): PermissionText {
  return { name, label, description }
}
