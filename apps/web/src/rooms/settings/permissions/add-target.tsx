import { OverwriteTarget } from '@foyer/protocol/permissions'
import { t } from '#src/language/texts.ts'
import { isNamed } from '#src/members/matching.ts'
import { MemberFinder } from '#src/members/member-finder.tsx'
import { MemberName } from '#src/members/member-name.tsx'
import { rolesFromTop } from '#src/permissions/rights.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import type { Target } from './target.ts'
import { TargetName } from './target-name.tsx'

interface AddTargetProps {
  space: SpaceEntry
  /** Targets that are already listed. */
  listed: readonly Target[]
  onChoose: (target: Target) => void
  onClose: () => void
}

/** Lists the roles and members that have no overwrite in the room yet. */
export function AddTarget({ space, listed, onChoose, onClose }: AddTargetProps) {
  const listedIds = new Set(listed.map(({ id }) => id))

  function choose(target: Target) {
    onClose()
    onChoose(target)
  }

  return (
    <Modal open onOpenChange={onClose} title={t('Add a role or member')}>
      <MemberFinder
        space={space}
        accepts={({ id }) => !listedIds.has(id)}
        label={t('Find a role or member')}
        nobody={t('All members are already on the list.')}
        above={(query) => <Roles space={space} listedIds={listedIds} query={query} onChoose={choose} />}
      >
        {(member, name) => (
          <li key={member.id}>
            <button
              type="button"
              className="person-choice"
              onClick={() => choose({ id: member.id, type: OverwriteTarget.Member })}
            >
              <MemberName space={space} member={member} name={name} />
            </button>
          </li>
        )}
      </MemberFinder>
    </Modal>
  )
}

interface RolesProps {
  space: SpaceEntry
  listedIds: ReadonlySet<string>
  query: string
  onChoose: (target: Target) => void
}

function Roles({ space, listedIds, query, onChoose }: RolesProps) {
  const roles = rolesFromTop(space).filter(({ id, name }) => !listedIds.has(id) && isNamed(name, query))
  if (roles.length === 0) return null
  return (
    <ul aria-label={t('Roles')}>
      {roles.map(({ id, name }) => {
        const target = { id, type: OverwriteTarget.Role }
        return (
          <li key={id}>
            <button type="button" className="target" onClick={() => onChoose(target)}>
              <TargetName space={space} target={target} name={name} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
