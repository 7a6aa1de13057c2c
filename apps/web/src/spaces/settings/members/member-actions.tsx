import { useState } from 'react'
import type { ListedMember } from './listed-member.ts'
import { MemberDeedDialog } from './member-deed-dialog.tsx'
import { type MemberDeed, MemberMenu, useMemberDeeds } from './member-menu.tsx'

/** What the reader may do about a member of the list. */
export function MemberActions({ space, member, name, rights, focusAfter }: ListedMember) {
  const deeds = useMemberDeeds(member, rights)
  const [deed, setDeed] = useState<MemberDeed | null>(null)
  return (
    <>
      <MemberMenu deeds={deeds} name={name} onChoose={setDeed} />
      {deed !== null && (
        <MemberDeedDialog
          deed={deed}
          space={space}
          member={member}
          name={name}
          onClose={() => setDeed(null)}
          focusAfter={focusAfter}
        />
      )}
    </>
  )
}
