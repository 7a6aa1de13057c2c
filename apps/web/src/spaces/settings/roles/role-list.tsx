import type { Role } from '@foyer/protocol/roles'
import { ChevronRight, GripVertical, Lock } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { Rights } from '#src/permissions/rights.ts'
import { ColorDot } from '#src/roles/colored-name.tsx'
import { colorsOf } from '#src/roles/role-color.ts'
import { roleName } from '#src/roles/role-name.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import './role-list.css'
import { movableRange } from './role-order.ts'
import { useDrag } from './use-drag.ts'
import { useRoleOrder } from './use-role-order.ts'

interface RoleListProps {
  space: SpaceEntry
  rights: Rights
  onOpen: (roleId: string) => void
  /** The role that was open before. It receives the focus when the list returns. */
  lastId: string | null
}

/** The roles, highest first. Roles below the user's highest role can be moved by dragging or with the arrow keys. */
export function RoleList({ space, rights, onOpen, lastId }: RoleListProps) {
  const { roles, error, move } = useRoleOrder(space)
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const focusId = useRef<string | null>(null)
  const helpId = useId()
  const range = movableRange(roles, rights.isAbove)
  const drag = useDrag({ list, range, onMove: moveTo })

  function moveTo(id: string, to: number) {
    const role = roles.find((other) => other.id === id)
    const [first, last] = range
    if (role === undefined || to < first || to > last) return
    move(id, to)
    setAnnouncement(
      t('{role} is now role {place} of {count}.', { role: role.name, place: to + 1, count: roles.length }),
    )
  }

  function onKeyDown(event: KeyboardEvent, id: string, index: number) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    focusId.current = id
    moveTo(id, index + step)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list appears
  useEffect(() => {
    if (lastId !== null) list.current?.querySelector<HTMLElement>(`[data-open="${lastId}"]`)?.focus()
  }, [])

  // Restores the focus: a row loses it when it moves in the DOM.
  useEffect(() => {
    if (focusId.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${focusId.current}"]`)?.focus()
    focusId.current = null
  })

  return (
    <>
      <ol ref={list} className="role-list" data-dragging={drag.draggedId !== null || undefined}>
        {roles.map((role, index) => (
          <li
            key={role.id}
            className="role-row"
            data-dragged={role.id === drag.draggedId || undefined}
            style={drag.styleOf(index)}
          >
            {index >= range[0] && index <= range[1] ? (
              <button
                type="button"
                className="role-handle"
                aria-label={t('Move {name}', { name: role.name })}
                aria-describedby={helpId}
                data-handle={role.id}
                onKeyDown={(event) => onKeyDown(event, role.id, index)}
                {...drag.handlers(role.id, index)}
              >
                <GripVertical aria-hidden="true" />
              </button>
            ) : (
              <span className="role-handle" />
            )}
            <RoleButton role={role} isFixed={!rights.isAbove(role)} onOpen={onOpen} />
          </li>
        ))}
      </ol>
      <p id={helpId} className="visually-hidden">
        {t('Use the up and down arrow keys to move the role.')}
      </p>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </>
  )
}

interface RoleButtonProps {
  role: Role
  /** True for roles that are not below the user's highest role. */
  isFixed: boolean
  onOpen: (roleId: string) => void
}

function RoleButton({ role, isFixed, onOpen }: RoleButtonProps) {
  return (
    <button type="button" className="role-open" data-open={role.id} onClick={() => onOpen(role.id)}>
      <ColorDot colors={colorsOf(role)} />
      <span className="role-open-name" dir="auto">
        {roleName(role)}
      </span>
      {isFixed && (
        <span className="settings-note">
          <Lock aria-hidden="true" /> {t('View only')}
        </span>
      )}
      <ChevronRight aria-hidden="true" />
    </button>
  )
}
