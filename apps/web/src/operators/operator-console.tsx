import {
  Activity,
  ArchiveRestore,
  Building2,
  CircleArrowUp,
  Flag,
  HardDrive,
  ListChecks,
  type LucideIcon,
  Megaphone,
  ScrollText,
  ServerCog,
  UserPlus,
  Users,
  Wrench,
} from 'lucide-react'
import { type ComponentType, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import '#src/spaces/settings/settings.css'
import { SettingsDialog } from '#src/ui/dialogs/settings-dialog.tsx'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { useTitle } from '#src/unread/use-title.ts'
import { type LogTarget, OperatorLinksContext } from './links.ts'
import './operators.css'

interface SectionProps {
  /** The search that the section of people begins with. */
  peopleQuery: string
  /** The search that the section of spaces begins with. */
  spacesQuery: string
  /** The account or space that initially filters the log. */
  logTarget: LogTarget | null
}

interface SectionEntry {
  readonly id: string
  readonly label: string
  readonly Icon: LucideIcon
  readonly Content: ComponentType<SectionProps>
}

/** Each section is loaded when it is opened. */
const OverviewSection = lazyComponent(() =>
  import('./overview/overview-section.tsx').then((module) => module.OverviewSection),
)
const PeopleSection = lazyComponent<SectionProps>(() =>
  import('./people/people-section.tsx').then((module) => module.PeopleSection),
)
const SpacesSection = lazyComponent<SectionProps>(() =>
  import('./spaces/spaces-section.tsx').then((module) => module.SpacesSection),
)
const ServerReportsSection = lazyComponent(() =>
  import('./reports/server-reports-section.tsx').then((module) => module.ServerReportsSection),
)
const RegistrationSection = lazyComponent(() =>
  import('./registration/registration-section.tsx').then((module) => module.RegistrationSection),
)
const SetupSection = lazyComponent(() =>
  import('./setup/setup-section.tsx').then((module) => module.SetupSection),
)
const AnnouncementsSection = lazyComponent(() =>
  import('./announcements/announcements-section.tsx').then((module) => module.AnnouncementsSection),
)
const AdministratorsSection = lazyComponent(() =>
  import('./administrators/administrators-section.tsx').then((module) => module.AdministratorsSection),
)
const StorageSection = lazyComponent(() =>
  import('./storage/storage-section.tsx').then((module) => module.StorageSection),
)
const JobsSection = lazyComponent(() =>
  import('./jobs/jobs-section.tsx').then((module) => module.JobsSection),
)
const BackupsSection = lazyComponent(() =>
  import('./backups/backups-section.tsx').then((module) => module.BackupsSection),
)
const UpdatesSection = lazyComponent(() =>
  import('./updates/updates-section.tsx').then((module) => module.UpdatesSection),
)
const LogSection = lazyComponent<SectionProps>(() =>
  import('./log/log-section.tsx').then((module) => module.LogSection),
)

/** In display order. */
const entries: readonly SectionEntry[] = [
  { id: 'overview', label: t('Overview'), Icon: Activity, Content: OverviewSection },
  { id: 'setup', label: t('Setup'), Icon: Wrench, Content: SetupSection },
  { id: 'people', label: t('People'), Icon: Users, Content: PeopleSection },
  { id: 'spaces', label: t('Spaces'), Icon: Building2, Content: SpacesSection },
  { id: 'reports', label: t('Reports'), Icon: Flag, Content: ServerReportsSection },
  { id: 'registration', label: t('Sign-ups'), Icon: UserPlus, Content: RegistrationSection },
  { id: 'announcements', label: t('Announcements'), Icon: Megaphone, Content: AnnouncementsSection },
  { id: 'administrators', label: t('Administrators'), Icon: ServerCog, Content: AdministratorsSection },
  { id: 'storage', label: t('Storage'), Icon: HardDrive, Content: StorageSection },
  { id: 'jobs', label: t('Jobs'), Icon: ListChecks, Content: JobsSection },
  { id: 'backups', label: t('Backups'), Icon: ArchiveRestore, Content: BackupsSection },
  { id: 'updates', label: t('Updates'), Icon: CircleArrowUp, Content: UpdatesSection },
  { id: 'log', label: t('Log'), Icon: ScrollText, Content: LogSection },
]

/** Health, people, spaces and rules of this server, for operators. The address names the open section. */
export function OperatorConsole({ sectionId }: { sectionId: string | undefined }) {
  const [, navigate] = useLocation()
  useTitle(t('Server administration'))
  const [peopleQuery, setPeopleQuery] = useState('')
  const [spacesQuery, setSpacesQuery] = useState('')
  const [logTarget, setLogTarget] = useState<LogTarget | null>(null)
  const links = useMemo(() => ({ setPeopleQuery, setSpacesQuery, setLogTarget }), [])
  const sections = entries.map(({ id, label, Icon, Content }) => ({
    id,
    label,
    icon: <Icon aria-hidden="true" />,
    content: <Content peopleQuery={peopleQuery} spacesQuery={spacesQuery} logTarget={logTarget} />,
  }))

  function choose(id: string) {
    // Clears the searches of the other sections, so that their next visit begins without one.
    if (id !== 'people') setPeopleQuery('')
    if (id !== 'spaces') setSpacesQuery('')
    if (id !== 'log') setLogTarget(null)
    navigate(`/operator/${id}`, { replace: true })
  }

  return (
    <OperatorLinksContext value={links}>
      <SettingsDialog
        open
        onOpenChange={() => navigate('/')}
        title={t('Server administration')}
        sections={sections}
        initialId={entries.find(({ id }) => id === sectionId)?.id}
        onChoose={choose}
      />
    </OperatorLinksContext>
  )
}
