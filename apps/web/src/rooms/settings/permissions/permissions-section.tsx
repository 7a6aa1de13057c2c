import { OverwriteTarget } from '@foyer/protocol/permissions'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useKnownMembers } from '#src/members/use-known-members.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { useAttempt } from '#src/ui/dialogs/unsaved-changes.ts'
import { useMediaQuery, WIDE } from '#src/ui/use-media-query.ts'
import { PageTitle } from '../page-title.tsx'
import { OverwriteForm } from './overwrite-form.tsx'
import './permissions.css'
import { everyone, listTargets, type Target } from './target.ts'
import { TargetList } from './target-list.tsx'
import { useTargetNames } from './target-name.tsx'

/** The overwrites of the room: a list of roles and members, and the selected one next to it. */
export function PermissionsSection({ space, room }: { space: SpaceEntry; room: Room }) {
  const attempt = useAttempt()
  const isWide = useMediaQuery(WIDE)
  const [chosen, setChosen] = useState<Target | null>(null)
  const targets = listTargets(space, room.id, chosen)
  const members = useKnownMembers(space.id, memberIdsOf(targets))
  const nameOf = useTargetNames(space, members)
  // Another member may delete the role while it is shown.
  const shown = targets.find(({ id }) => id === chosen?.id) ?? (isWide ? everyone(space) : null)
  const choose = (target: Target) => attempt(() => setChosen(target))

  return (
    <>
      {(isWide || shown === null) && <Intro isCategory={room.type === RoomType.Category} />}
      <div className="permissions">
        {(isWide || shown === null) && (
          <TargetList space={space} targets={targets} chosen={shown} nameOf={nameOf} onChoose={choose} />
        )}
        {shown !== null && (
          <div className="permissions-page">
            {!isWide && (
              <PageTitle label={t('Back to roles and members')} onBack={() => attempt(() => setChosen(null))}>
                {nameOf(shown)}
              </PageTitle>
            )}
            <OverwriteForm
              key={shown.id}
              space={space}
              room={room}
              target={shown}
              name={nameOf(shown)}
              heldRoles={members.get(shown.id)?.roles}
            />
          </div>
        )}
      </div>
    </>
  )
}

function Intro({ isCategory }: { isCategory: boolean }) {
  return (
    <p className="permissions-intro">
      {isCategory
        ? t(
            'Change permissions for this category only. Member settings override role settings, which override @everyone. The rooms in the category keep their own permissions.',
          )
        : t(
            'Change permissions for this room only. Member settings override role settings, which override @everyone.',
          )}
    </p>
  )
}

function memberIdsOf(targets: readonly Target[]): string[] {
  return targets.filter(({ type }) => type === OverwriteTarget.Member).map(({ id }) => id)
}
