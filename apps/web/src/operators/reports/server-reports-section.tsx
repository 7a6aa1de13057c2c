import type { Report } from '@foyer/protocol/reports'
import { t } from '#src/language/texts.ts'
import { ReportQueue } from '#src/reports/queue/report-queue.tsx'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { usePeopleLink, useSpacesLink } from '../links.ts'

/** The reports that operators handle. */
export function ServerReportsSection() {
  return (
    <ReportQueue
      spaceId={null}
      note={t(
        'Reports about people, spaces, direct messages, group messages, and messages from space owners. You don’t see reports about yourself.',
      )}
      steps={(report, titleId) => <OperatorSteps report={report} titleId={titleId} />}
    />
  )
}

/** Links to the reported account and space, to lock or freeze them. */
function OperatorSteps({ report, titleId }: { report: Report; titleId: string }) {
  const { copy, user_id, target_id } = report
  const openPeople = usePeopleLink()
  const openSpaces = useSpacesLink()
  const { user, space, messages } = copy
  const person = user ?? space?.owner ?? messages.find(({ id }) => id === target_id)?.author
  return (
    <>
      {person !== undefined && user_id !== null && (
        <Button aria-describedby={titleId} onClick={() => openPeople(user_id)}>
          {t('Open the account of {name}', { name: personName(person) })}
        </Button>
      )}
      {space !== null && (
        <Button aria-describedby={titleId} onClick={() => openSpaces(space.id)}>
          {t('Open {name}', { name: space.name })}
        </Button>
      )}
    </>
  )
}
