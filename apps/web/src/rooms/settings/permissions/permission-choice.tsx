import { Check, Minus, X } from 'lucide-react'
import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import type { PermissionText } from '#src/permissions/permission-texts.ts'
import '#src/ui/switch-row.css'
import { isSpaceWide } from '../space-wide.ts'
import type { Choice } from './overwrite-draft.ts'

interface PermissionChoiceProps {
  text: PermissionText
  choice: Choice
  /** Those that the reader may make. */
  choices: readonly Choice[]
  /** What inheriting amounts to. */
  inherited: string
  onChoose: (choice: Choice) => void
}

const looks = {
  deny: { label: t('Deny'), Icon: X },
  inherit: { label: t('Inherit'), Icon: Minus },
  allow: { label: t('Allow'), Icon: Check },
} as const

/** A permission that is denied, inherited or allowed. */
export function PermissionChoice({ text, choice, choices, inherited, onChoose }: PermissionChoiceProps) {
  const id = useId()
  // What has no effect can only be cleared.
  const isIdle = isSpaceWide(text.flag) && choice === 'inherit'
  const hasChoice = choices.length > 1 && !isIdle
  const labels = {
    role: hasChoice ? 'radiogroup' : 'group',
    'aria-labelledby': `${id}-label`,
    'aria-describedby': `${id}-texts`,
  }
  return (
    <div className="switch-row choice-row" {...labels}>
      <span className="switch-texts">
        <span id={`${id}-label`} className="switch-label">
          {text.label}
        </span>
        <span id={`${id}-texts`} className="switch-description">
          {text.description} {isSpaceWide(text.flag) && NO_EFFECT} {!isIdle && reasonOf(choices)}
          <span className="choice-inherited">{inherited}</span>
        </span>
      </span>
      {hasChoice && (
        <span className="choice">
          {choices.map((option) => (
            <ChoiceOption
              key={option}
              group={id}
              option={option}
              isChosen={option === choice}
              onChoose={onChoose}
            />
          ))}
        </span>
      )}
    </div>
  )
}

interface ChoiceOptionProps {
  group: string
  option: Choice
  isChosen: boolean
  onChoose: (choice: Choice) => void
}

function ChoiceOption({ group, option, isChosen, onChoose }: ChoiceOptionProps) {
  const { label, Icon } = looks[option]
  return (
    <label className="choice-option" data-option={option}>
      <input type="radio" name={group} value={option} checked={isChosen} onChange={() => onChoose(option)} />
      <Icon aria-hidden="true" />
      {label}
    </label>
  )
}

/** The one permission that no room can give or take. */
export function AdministratorRow({ text }: { text: PermissionText }) {
  return (
    <div className="switch-row">
      <span className="switch-texts">
        <span className="switch-label">{text.label}</span>
        <span className="switch-description">
          {t(
            'Only a role gives it, for the whole space. Administrators may do everything here, whatever is set.',
          )}
        </span>
      </span>
    </div>
  )
}

const NO_EFFECT = t('It counts in the whole space, whatever a room sets.')

function reasonOf(choices: readonly Choice[]): string {
  if (choices.length === Object.keys(looks).length) return ''
  if (choices.length === 1) return t('You cannot allow or deny it: you do not have it in this room.')
  return choices.includes('deny')
    ? t('You can clear it, but not allow it: you do not have it in this room.')
    : t('You can clear it, but not deny it: you do not have it in this room.')
}
