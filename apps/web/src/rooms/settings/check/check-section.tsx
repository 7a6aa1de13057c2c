import type { Room } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { MemberFinder } from '#src/members/member-finder.tsx'
import { MemberName } from '#src/members/member-name.tsx'
import { useKnownMembers } from '#src/members/use-known-members.ts'
import { useNames } from '#src/members/use-names.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { PageTitle } from '../page-title.tsx'
import { ExplainedPermissions } from './explained-permissions.tsx'

const NO_IDS: never[] = []

/** Shows the permissions of a member in the room, with reasons. */
export function CheckSection({ space, room }: { space: SpaceEntry; room: Room }) {
  const [chosenId, setChosenId] = useState<string | null>(null)
  const nameOf = useNames(space.id)
  // Read from the store, because the roles of the member may change while they are shown.
  const member = useKnownMembers(space.id, chosenId === null ? NO_IDS : [chosenId]).get(chosenId ?? '')

  if (member !== undefined)
    return (
      <>
        <PageTitle label={t('Choose another member')} onBack={() => setChosenId(null)}>
          {nameOf(member.user)}
        </PageTitle>
        <ExplainedPermissions space={space} room={room} member={member} name={nameOf(member.user)} />
      </>
    )
  return (
    <>
      <p>{t('Choose a member to see what they can do in this room, and why.')}</p>
      <MemberFinder space={space} nobody={t('No members yet.')}>
        {(entry, name) => (
          <li key={entry.id}>
            <button type="button" className="person-choice" onClick={() => setChosenId(entry.id)}>
              <MemberName space={space} member={entry} name={name} />
            </button>
          </li>
        )}
      </MemberFinder>
    </>
  )
}
