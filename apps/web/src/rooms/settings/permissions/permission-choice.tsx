import { Check, Minus, X } from 'lucide-react'
import { useId } from 'react'
import { t } from '#src/language/texts.ts'
import type { PermissionText } from '#src/permissions/permission-texts.ts'
import '#src/ui/fields/switch-row.css'
import type { Choice } from './overwrite-draft.ts'

interface PermissionChoiceProps {
  text: PermissionText
  /** False if the permission has no effect in the room, and can only be cleared. */
  isOfRoom: boolean
  choice: Choice
  /** Choices the user may make. */
  choices: readonly Choice[]
  /** The result if the permission is inherited. */
  inherited: string
  onChoose: (choice: Choice) => void
}

const looks = {
  deny: { label: t('Deny'), Icon: X },
  inherit: { label: t('Inherit'), Icon: Minus },
  allow: { label: t('Allow'), Icon: Check },
} as const

/** Sets a permission to denied, inherited or allowed. */
export function PermissionChoice(props: PermissionChoiceProps) {
  const { text, isOfRoom, choice, choices, inherited, onChoose } = props
  const id = useId()
  const hasChoice = choices.length > 1
  const labels = {
    role: hasChoice ? 'radiogroup' : 'group',
    'aria-labelledby': `${id}-label`,
    'aria-describedby': `${id}-texts`,
  }
  return (
    <div className="switch-row overwrite-row" {...labels}>
      <span className="switch-texts">
        <span id={`${id}-label`} className="switch-label">
          {text.label}
        </span>
        <span id={`${id}-texts`} className="switch-description">
          {text.description} {!isOfRoom && NO_EFFECT} {reasonOf(choices)}
          <span className="overwrite-inherited">{inherited}</span>
        </span>
      </span>
      {hasChoice && (
        <span className="overwrite-choice">
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
    <label className="overwrite-option" data-option={option}>
      <input type="radio" name={group} value={option} checked={isChosen} onChange={() => onChoose(option)} />
      <Icon aria-hidden="true" />
      {label}
    </label>
  )
}

const NO_EFFECT = t('This has no effect in this room. You can only clear it.')

function reasonOf(choices: readonly Choice[]): string {
  if (choices.length === Object.keys(looks).length) return ''
  if (choices.length === 1)
    return t('You can’t allow or deny this permission, because you don’t have it in this room.')
  return choices.includes('deny')
    ? t('You can clear this permission but not allow it, because you don’t have it in this room.')
    : t('You can clear this permission but not deny it, because you don’t have it in this room.')
}
