import {
  AudioLines,
  Bell,
  Bot,
  FileDown,
  Flag,
  Globe,
  KeyRound,
  MonitorSmartphone,
  Palette,
  UserRound,
} from 'lucide-react'
import { ApplicationsSection } from '#src/applications/applications-section.tsx'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { SettingsDialog } from '#src/ui/dialogs/settings-dialog.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { AccountSection } from './account-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import './user-settings.css'

const AppearanceSection = lazyComponent(() =>
  import('./appearance/appearance-section.tsx').then((module) => module.AppearanceSection),
)

const VoiceSection = lazyComponent(() =>
  import('#src/voice/voice-section.tsx').then((module) => module.VoiceSection),
)

const NotificationsSection = lazyComponent(() =>
  import('#src/notifications/notifications-section.tsx').then((module) => module.NotificationsSection),
)

const OwnRequests = lazyComponent(() =>
  import('#src/reports/own/own-requests.tsx').then((module) => module.OwnRequests),
)

const YourDataSection = lazyComponent(() =>
  import('./your-data/your-data-section.tsx').then((module) => module.YourDataSection),
)

const PrivacySection = lazyComponent(() =>
  import('./privacy/privacy-section.tsx').then((module) => module.PrivacySection),
)

interface UserSettingsProps {
  /** The section to open; undefined for the first. */
  sectionId: string | undefined
  onClose: () => void
}

/** Settings of the user that apply in every space. */
export function UserSettings({ sectionId, onClose }: UserSettingsProps) {
  const me = useAppState((state) => state.me)
  if (me === null) return null
  const sections = [
    {
      id: 'profile',
      label: t('Profile'),
      icon: <UserRound aria-hidden="true" />,
      content: <ProfileSection me={me} />,
    },
    {
      id: 'account',
      label: t('Account'),
      icon: <KeyRound aria-hidden="true" />,
      content: <AccountSection me={me} />,
    },
    {
      id: 'sessions',
      label: t('Sessions'),
      icon: <MonitorSmartphone aria-hidden="true" />,
      content: <SessionsSection />,
    },
    {
      id: 'privacy',
      label: t('Privacy'),
      icon: <Globe aria-hidden="true" />,
      content: <PrivacySection me={me} />,
    },
    {
      id: 'notifications',
      label: t('Notifications'),
      icon: <Bell aria-hidden="true" />,
      content: <NotificationsSection />,
    },
    {
      id: 'appearance',
      label: t('Appearance'),
      icon: <Palette aria-hidden="true" />,
      content: <AppearanceSection />,
    },
    {
      id: 'voice',
      label: t('Voice'),
      icon: <AudioLines aria-hidden="true" />,
      content: <VoiceSection />,
    },
    {
      id: 'applications',
      label: t('Applications'),
      icon: <Bot aria-hidden="true" />,
      content: <ApplicationsSection />,
    },
    {
      id: 'reports',
      label: t('Reports and appeals'),
      icon: <Flag aria-hidden="true" />,
      content: <OwnRequests />,
    },
    {
      id: 'your-data',
      label: t('Your data'),
      icon: <FileDown aria-hidden="true" />,
      content: <YourDataSection />,
    },
  ]
  return (
    <SettingsDialog
      open
      onOpenChange={onClose}
      title={t('User settings')}
      sections={sections}
      initialId={sectionId}
    />
  )
}
