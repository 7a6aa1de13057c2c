import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { MemberFinder } from '#src/members/member-finder.tsx'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { MemberEntry } from './member-entry.tsx'

/** The members of the space, with their roles and actions. */
export function MembersSection({ space }: { space: SpaceEntry }) {
  const rights = usePermissions(space.id)
  const search = useRef<HTMLInputElement>(null)
  return (
    <MemberFinder space={space} nobody={t('No members yet.')} input={search}>
      {(member, name) => (
        <MemberEntry
          key={member.id}
          space={space}
          member={member}
          name={name}
          rights={rights}
          focusAfter={search}
        />
      )}
    </MemberFinder>
  )
}
