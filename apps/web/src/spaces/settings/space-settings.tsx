import {
  Ban,
  Bot,
  DoorClosed,
  Flag,
  HardDrive,
  IdCard,
  Images,
  KeyRound,
  Link2,
  type LucideIcon,
  ScrollText,
  ShieldAlert,
  ShieldCheck,
  Smile,
  Sticker,
  Users,
  Webhook,
} from 'lucide-react'
import { type ComponentType, useEffect } from 'react'
import { useInstance } from '#src/auth/use-instance.ts'
import { t } from '#src/language/texts.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import type { SpaceEntry } from '#src/store/state.ts'
import { type SectionMark, SettingsDialog } from '#src/ui/dialogs/settings-dialog.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { WebhooksSection } from '#src/webhooks/webhooks-section.tsx'
import type { Undecided } from '../undecided/undecided.ts'
import { appealsWaiting, reportsWaiting } from '../undecided/undecided-words.ts'
import { useUndecided } from '../undecided/use-undecided.ts'
import { BansSection } from './bans/bans-section.tsx'
import { BotsSection } from './bots/bots-section.tsx'
import { EmojisSection } from './emojis/emojis-section.tsx'
import { InvitesSection } from './invites/invites-section.tsx'
import { MembersSection } from './members/members-section.tsx'
import { isOpen, type SpaceSectionId } from './open-sections.ts'
import { OverviewSection } from './overview/overview-section.tsx'
import { RolesSection } from './roles/roles-section.tsx'
import './settings.css'
import { StickersSection } from './stickers/stickers-section.tsx'
import { FilesSection } from './storage/files-section.tsx'
import { StorageSection } from './storage/storage-section.tsx'

const AutomodSection = lazyComponent(() =>
  import('./automod/automod-section.tsx').then((module) => module.AutomodSection),
)
const DoorSection = lazyComponent(() =>
  import('./door/door-section.tsx').then((module) => module.DoorSection),
)
const ReportsSection = lazyComponent(() =>
  import('./reports/reports-section.tsx').then((module) => module.ReportsSection),
)
const GroupsSection = lazyComponent(() =>
  import('./groups/groups-section.tsx').then((module) => module.GroupsSection),
)
const AuditLogSection = lazyComponent(() =>
  import('./audit-log/audit-log-section.tsx').then((module) => module.AuditLogSection),
)

interface SectionProps {
  space: SpaceEntry
  /** Closes the settings. */
  onLeave: () => void
}

interface SectionEntry {
  readonly id: SpaceSectionId
  readonly label: string
  readonly Icon: LucideIcon
  readonly Content: ComponentType<SectionProps>
}

/** In display order. */
const entries: readonly SectionEntry[] = [
  { id: 'overview', label: t('Overview'), Icon: IdCard, Content: OverviewSection },
  { id: 'roles', label: t('Roles'), Icon: ShieldCheck, Content: RolesSection },
  { id: 'groups', label: t('Sign-in groups'), Icon: KeyRound, Content: GroupsSection },
  { id: 'members', label: t('Members'), Icon: Users, Content: MembersSection },
  { id: 'emojis', label: t('Emoji'), Icon: Smile, Content: EmojisSection },
  { id: 'stickers', label: t('Stickers'), Icon: Sticker, Content: StickersSection },
  { id: 'storage', label: t('Storage'), Icon: HardDrive, Content: StorageSection },
  { id: 'files', label: t('Files'), Icon: Images, Content: FilesSection },
  { id: 'invites', label: t('Invites'), Icon: Link2, Content: InvitesSection },
  { id: 'webhooks', label: t('Webhooks'), Icon: Webhook, Content: WebhooksSection },
  { id: 'bots', label: t('Bots'), Icon: Bot, Content: BotsSection },
  { id: 'door', label: t('Raid protection'), Icon: DoorClosed, Content: DoorSection },
  { id: 'reports', label: t('Reports'), Icon: Flag, Content: ReportsSection },
  { id: 'bans', label: t('Bans'), Icon: Ban, Content: BansSection },
  { id: 'automod', label: t('AutoMod'), Icon: ShieldAlert, Content: AutomodSection },
  { id: 'audit-log', label: t('Audit log'), Icon: ScrollText, Content: AuditLogSection },
]

interface SpaceSettingsProps {
  space: SpaceEntry
  /** Section selected initially. */
  initialId?: SpaceSectionId
  onClose: () => void
}

/** The settings the user may change. The dialog closes when no section is left. */
export function SpaceSettings({ space, initialId, onClose }: SpaceSettingsProps) {
  const rights = usePermissions(space.id)
  const undecided = useUndecided(space.id)
  const hasProviders = (useInstance()?.login.providers.length ?? 0) > 0
  const sections = entries
    .filter(({ id }) => isOpen(id, rights) && (id !== 'groups' || hasProviders))
    .map(({ id, label, Icon, Content }) => ({
      id,
      label,
      icon: <Icon aria-hidden="true" />,
      mark: markOf(id, undecided),
      content: <Content space={space} onLeave={onClose} />,
    }))
  const isEmpty = sections.length === 0

  useEffect(() => {
    if (isEmpty) onClose()
  }, [isEmpty, onClose])

  return (
    <SettingsDialog
      open
      onOpenChange={onClose}
      title={space.name}
      picture={<Avatar id={space.id} name={space.name} size="sm" />}
      sections={sections}
      initialId={initialId}
    />
  )
}

function markOf(id: SpaceSectionId, { reports, appeals }: Undecided): SectionMark | undefined {
  if (id === 'reports' && reports > 0) return { count: reports, text: reportsWaiting(reports) }
  if (id === 'bans' && appeals > 0) return { count: appeals, text: appealsWaiting(appeals) }
  return undefined
}
