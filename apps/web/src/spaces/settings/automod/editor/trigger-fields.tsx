import type { AutomodTriggerType } from '@foyer/protocol/automod'
import type { ComponentType } from 'react'
import { t } from '#src/language/texts.ts'
import { OptionCards } from '#src/ui/fields/option-cards.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { type DraftProps, LinesField, NumberInput } from './draft-fields.tsx'
import { triggerKinds, triggerTypes } from './trigger-kinds.ts'

const options = triggerTypes.map((type) => ({ value: type, ...triggerKinds[type] }))

/** The fields for the trigger of a rule. */
export function TriggerFields({ draft, onChange }: DraftProps) {
  const Fields = fieldsOf[draft.type]
  return (
    <>
      <OptionCards
        label={t('What to catch')}
        options={options}
        value={draft.type}
        onChange={(type) => onChange({ ...draft, type })}
      />
      <Fields draft={draft} onChange={onChange} />
    </>
  )
}

const fieldsOf: Readonly<Record<AutomodTriggerType, ComponentType<DraftProps>>> = {
  words: WordFields,
  links: LinkFields,
  invites: () => null,
  mentions: (props) => <NumberInput {...props} name="max" label={t('Allowed mentions')} />,
  repeats: RepeatFields,
  capitals: CapitalFields,
  new_accounts: (props) => <NumberInput {...props} name="hours" label={t('Maximum account age in hours')} />,
  attachments: FileFields,
}

function WordFields(props: DraftProps) {
  return (
    <>
      <LinesField
        {...props}
        name="words"
        label={t('Words and phrases')}
        hint={t(
          'One per line. Add * at the beginning or end to match longer words: spam* also catches spammer.',
        )}
      />
      <LinesField
        {...props}
        name="allowed"
        label={t('Exceptions')}
        hint={t('One per line. These aren’t caught, even if they contain a word from above.')}
      />
    </>
  )
}

function LinkFields(props: DraftProps) {
  const { draft, onChange } = props
  return (
    <>
      <SelectField
        name="list"
        label={t('Which links to catch')}
        options={[
          ['allow', t('All links, except to these hosts')],
          ['deny', t('Only links to these hosts')],
        ]}
        value={draft.list}
        onChange={(list) => onChange({ ...draft, list: list === 'deny' ? 'deny' : 'allow' })}
      />
      <LinesField
        {...props}
        name="hosts"
        label={t('Hosts')}
        hint={t('One per line, such as example.org. Subdomains are included.')}
      />
    </>
  )
}

function RepeatFields(props: DraftProps) {
  return (
    <div className="automod-pair">
      <NumberInput {...props} name="count" label={t('Number of times')} />
      <NumberInput {...props} name="seconds" label={t('Time span in seconds')} />
    </div>
  )
}

function CapitalFields(props: DraftProps) {
  return (
    <div className="automod-pair">
      <NumberInput {...props} name="percent" label={t('Percentage of capitals')} />
      <NumberInput {...props} name="min_letters" label={t('Minimum number of letters')} />
    </div>
  )
}

function FileFields(props: DraftProps) {
  return (
    <>
      <LinesField
        {...props}
        name="content_types"
        label={t('File types')}
        hint={t('One per line, such as image/png or image/*.')}
      />
      <LinesField
        {...props}
        name="sha256"
        label={t('Known files')}
        hint={t(
          'SHA-256 of the files as downloaded from Foyer, one per line. Not checked when you try the rule.',
        )}
      />
    </>
  )
}
