import { OverwriteTarget } from '@foyer/protocol/permissions'
import { Check, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import '#src/conversations/people-picker.css'
import { t } from '#src/language/texts.ts'
import { isNamed } from '#src/members/matching.ts'
import { MemberFinder } from '#src/members/member-finder.tsx'
import { MemberName } from '#src/members/member-name.tsx'
import { rolesFromTop } from '#src/permissions/rights.ts'
import { ColorDot } from '#src/roles/colored-name.tsx'
import { colorsOf } from '#src/roles/role-color.ts'
import '#src/spaces/settings/settings.css'
import type { SpaceEntry } from '#src/store/state.ts'
import type { Viewer } from './first-overwrites.ts'
import './viewer-picker.css'

interface ViewerPickerProps {
  space: SpaceEntry
  chosen: readonly Viewer[]
  onChange: (chosen: readonly Viewer[]) => void
}

/** Selects roles and members of the space, except the user. */
export function ViewerPicker({ space, chosen, onChange }: ViewerPickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const isChosen = (id: string) => chosen.some((viewer) => viewer.id === id)

  function toggle(viewer: Viewer) {
    onChange(isChosen(viewer.id) ? chosen.filter(({ id }) => id !== viewer.id) : [...chosen, viewer])
  }

  function takeOut(viewer: Viewer) {
    toggle(viewer)
    // The button that had the focus is removed.
    input.current?.focus()
  }

  return (
    <fieldset className="viewer-picker" onKeyDown={keepFromSending}>
      <legend className="field-label">{t('Who can see it')}</legend>
      {chosen.length > 0 && (
        <ul className="picked" aria-label={t('Selected')}>
          {chosen.map((viewer) => (
            <li key={viewer.id}>
              <button
                type="button"
                aria-label={t('Remove {name}', { name: viewer.name })}
                onClick={() => takeOut(viewer)}
              >
                {viewer.name} <X aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <MemberFinder
        space={space}
        accepts={({ id }) => id !== space.member.user_id}
        label={t('Find a role or member')}
        nobody={t('No other members yet.')}
        input={input}
        above={(query) => <Roles space={space} query={query} isChosen={isChosen} onToggle={toggle} />}
      >
        {(member, name) => (
          <Choice
            key={member.id}
            name={name}
            isChosen={isChosen(member.id)}
            onToggle={() => toggle({ id: member.id, type: OverwriteTarget.Member, name })}
          >
            <MemberName space={space} member={member} name={name} />
          </Choice>
        )}
      </MemberFinder>
    </fieldset>
  )
}

interface RolesProps {
  space: SpaceEntry
  query: string
  isChosen: (id: string) => boolean
  onToggle: (viewer: Viewer) => void
}

function Roles({ space, query, isChosen, onToggle }: RolesProps) {
  const roles = rolesFromTop(space).filter(({ id, name }) => id !== space.id && isNamed(name, query))
  if (roles.length === 0) return null
  return (
    <ul aria-label={t('Roles')}>
      {roles.map((role) => (
        <Choice
          key={role.id}
          name={role.name}
          isChosen={isChosen(role.id)}
          onToggle={() => onToggle({ id: role.id, type: OverwriteTarget.Role, name: role.name })}
        >
          <ColorDot colors={colorsOf(role)} />
          <span className="viewer-name" dir="auto">
            {role.name}
          </span>
        </Choice>
      ))}
    </ul>
  )
}

interface ChoiceProps {
  name: string
  isChosen: boolean
  onToggle: () => void
  children: ReactNode
}

function Choice({ name, isChosen, onToggle, children }: ChoiceProps) {
  return (
    <li>
      <label className="pickable-person">
        <input
          type="checkbox"
          className="visually-hidden"
          aria-label={name}
          checked={isChosen}
          onChange={onToggle}
        />
        <span className="viewer">{children}</span>
        <span className="pick-mark">{isChosen && <Check aria-hidden="true" />}</span>
      </label>
    </li>
  )
}

/** Keeps Enter in the search field from submitting the form. */
function keepFromSending(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}
