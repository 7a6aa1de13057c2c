import { Ban, Bot, IdCard, Link2, ShieldCheck, Users } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { SettingsDialog } from '#src/ui/settings-dialog.tsx'
import { BansSection } from './bans/bans-section.tsx'
import { BotsSection } from './bots/bots-section.tsx'
import { InvitesSection } from './invites/invites-section.tsx'
import { MembersSection } from './members/members-section.tsx'
import { isOpen, type SpaceSectionId } from './open-sections.ts'
import { OverviewSection } from './overview/overview-section.tsx'
import { RolesSection } from './roles/roles-section.tsx'
import './settings.css'

interface SectionEntry {
  id: SpaceSectionId
  label: string
  icon: ReactNode
  content: ReactNode
}

/** All that one may set about a space. It closes by itself when there is nothing left that one may. */
export function SpaceSettings({ space, onClose }: { space: SpaceEntry; onClose: () => void }) {
  const rights = usePermissions(space.id)
  const sections = entries(space, onClose).filter(({ id }) => isOpen(id, rights))
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
    />
  )
}

function entries(space: SpaceEntry, onClose: () => void): SectionEntry[] {
  return [
    {
      id: 'overview',
      label: 'Overview',
      icon: <IdCard aria-hidden="true" />,
      content: <OverviewSection space={space} />,
    },
    {
      id: 'roles',
      label: 'Roles',
      icon: <ShieldCheck aria-hidden="true" />,
      content: <RolesSection space={space} />,
    },
    {
      id: 'members',
      label: 'Members',
      icon: <Users aria-hidden="true" />,
      content: <MembersSection space={space} />,
    },
    {
      id: 'invites',
      label: 'Invites',
      icon: <Link2 aria-hidden="true" />,
      content: <InvitesSection space={space} />,
    },
    {
      id: 'bots',
      label: 'Bots',
      icon: <Bot aria-hidden="true" />,
      content: <BotsSection space={space} onLeave={onClose} />,
    },
    { id: 'bans', label: 'Bans', icon: <Ban aria-hidden="true" />, content: <BansSection space={space} /> },
  ]
}
