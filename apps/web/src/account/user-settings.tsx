import type { CurrentUser } from '@foyer/protocol/users'
import { Bot, KeyRound, MonitorSmartphone, UserRound } from 'lucide-react'
import { ApplicationsSection } from '#src/applications/applications-section.tsx'
import { SettingsDialog } from '#src/ui/settings-dialog.tsx'
import { AccountSection } from './account-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import './user-settings.css'

/** All that one can set about oneself, in every space alike. */
export function UserSettings({ me, onClose }: { me: CurrentUser; onClose: () => void }) {
  const sections = [
    {
      id: 'profile',
      label: 'Profile',
      icon: <UserRound aria-hidden="true" />,
      content: <ProfileSection me={me} />,
    },
    {
      id: 'account',
      label: 'Account',
      icon: <KeyRound aria-hidden="true" />,
      content: <AccountSection me={me} />,
    },
    {
      id: 'sessions',
      label: 'Sessions',
      icon: <MonitorSmartphone aria-hidden="true" />,
      content: <SessionsSection />,
    },
    {
      id: 'applications',
      label: 'Applications',
      icon: <Bot aria-hidden="true" />,
      content: <ApplicationsSection />,
    },
  ]
  return <SettingsDialog open onOpenChange={onClose} title="User settings" sections={sections} />
}
