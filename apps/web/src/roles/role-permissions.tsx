import type { RightFlags } from '@foyer/protocol/permissions'
import { hasRight, type RightName } from '@foyer/protocol/rights'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import { type PermissionText, permissionGroups } from '#src/permissions/permission-texts.ts'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import './role-permissions.css'

interface RolePermissionsProps {
  /** Saved permissions of the role. */
  saved: RightFlags
  /** Permissions including unsaved changes. */
  flags: RightFlags
  /** Permissions of the viewer. */
  held: RightFlags
  onSwitch: (name: RightName, isOn: boolean) => void
}

/** A switch for each permission that the viewer may change; the others are read-only. */
export function RolePermissions({ saved, flags, held, onSwitch }: RolePermissionsProps) {
  return (
    <PermissionGroups>
      {(text) => {
        const isHeld = hasRight(held, text.name)
        const isOn = hasRight(flags, text.name)
        if (!isHeld && !hasRight(saved, text.name))
          return (
            <PermissionState
              text={text}
              isOn={isOn}
              reason={t('You can’t grant a permission you don’t have.')}
            />
          )
        return (
          <SwitchRow
            label={text.label}
            description={isHeld ? text.description : `${text.description} ${NOT_BACK}`}
            checked={isOn}
            onChange={(next) => onSwitch(text.name, next)}
          />
        )
      }}
    </PermissionGroups>
  )
}

/** The permissions of a role that the viewer may not change. */
export function PermissionStates({ flags }: { flags: RightFlags }) {
  return (
    <PermissionGroups>
      {(text) => <PermissionState text={text} isOn={hasRight(flags, text.name)} />}
    </PermissionGroups>
  )
}

const NOT_BACK = t('You don’t have this permission: you can remove it, but not add it back.')

interface PermissionGroupsProps {
  /** Selects the permissions to show. */
  shows?: (name: RightName) => boolean
  children: (text: PermissionText) => ReactNode
}

/** One entry per permission, in groups. */
export function PermissionGroups({ shows = () => true, children }: PermissionGroupsProps) {
  const groups = permissionGroups.map(({ title, permissions }) => ({
    title,
    permissions: permissions.filter(({ name }) => shows(name)),
  }))
  return groups
    .filter(({ permissions }) => permissions.length > 0)
    .map(({ title, permissions }) => (
      <section key={title} className="permission-group">
        <h4>{title}</h4>
        <ul>
          {permissions.map((text) => (
            <li key={text.name}>{children(text)}</li>
          ))}
        </ul>
      </section>
    ))
}

interface PermissionStateProps {
  text: PermissionText
  isOn: boolean
  reason?: string
}

function PermissionState({ text, isOn, reason }: PermissionStateProps) {
  return (
    <div className="switch-row">
      <span className="switch-texts">
        <span className="switch-label">{text.label}</span>
        <span className="switch-description">
          {text.description} {reason}
        </span>
      </span>
      <span className="permission-state" data-on={isOn || undefined}>
        {isOn ? <Check aria-hidden="true" /> : <Minus aria-hidden="true" />}
        {isOn ? t('On') : t('Off')}
      </span>
    </div>
  )
}
