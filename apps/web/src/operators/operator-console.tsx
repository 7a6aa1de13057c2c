import { Building2, Flag, type LucideIcon, ScrollText, ServerCog, UserPlus, Users } from 'lucide-react'
import { type ComponentType, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import '#src/spaces/settings/settings.css'
import { SettingsDialog } from '#src/ui/dialogs/settings-dialog.tsx'
import { useTitle } from '#src/unread/use-title.ts'
import { AdministratorsSection } from './administrators/administrators-section.tsx'
import { type LogTarget, OperatorLinksContext } from './links.ts'
import { LogSection } from './log/log-section.tsx'
import './operators.css'
import { PeopleSection } from './people/people-section.tsx'
import { RegistrationSection } from './registration/registration-section.tsx'
import { ServerReportsSection } from './reports/server-reports-section.tsx'
import { SpacesSection } from './spaces/spaces-section.tsx'

interface SectionProps {
  /** The search that the section of people begins with. */
  peopleQuery: string
  /** The search that the section of spaces begins with. */
  spacesQuery: string
  /** The account or space that the log begins with. */
  logTarget: LogTarget | null
}

interface SectionEntry {
  readonly id: string
  readonly label: string
  readonly Icon: LucideIcon
  readonly Content: ComponentType<SectionProps>
}

/** In display order. */
const entries: readonly SectionEntry[] = [
  { id: 'people', label: t('People'), Icon: Users, Content: PeopleSection },
  { id: 'spaces', label: t('Spaces'), Icon: Building2, Content: SpacesSection },
  { id: 'reports', label: t('Reports'), Icon: Flag, Content: ServerReportsSection },
  { id: 'registration', label: t('Sign-ups'), Icon: UserPlus, Content: RegistrationSection },
  { id: 'administrators', label: t('Administrators'), Icon: ServerCog, Content: AdministratorsSection },
  { id: 'log', label: t('Log'), Icon: ScrollText, Content: LogSection },
]

/** The people, spaces and rules of this server, for those who run it. The address names the open section. */
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
    // Another visit of these sections begins without a search.
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
