import { ArrowRight } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { ColorDot } from '#src/roles/colored-name.tsx'
import type { Changes } from './entries/changes.ts'
import type { FieldChange, Value } from './entries/field-values.ts'

/** Lists the changed rights, and the changed fields with their values before and after. */
export function ChangeList({ rights, fields }: Changes) {
  return (
    <dl className="audit-changes">
      <RightNames label={t('Permissions added')} names={rights?.added ?? []} />
      <RightNames label={t('Permissions removed')} names={rights?.removed ?? []} />
      {fields.map((change) => (
        <div key={change.label}>
          <dt>{change.label}</dt>
          <dd>
            <Sides {...change} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function RightNames({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <div>
      <dt>{label}</dt>
      {names.map((name) => (
        <dd key={name}>{name}</dd>
      ))}
    </div>
  )
}

function Sides({ before, after }: FieldChange) {
  return (
    <>
      {before !== null && <ShownValue {...before} />}
      {before !== null && after !== null && (
        <>
          <ArrowRight aria-hidden="true" className="audit-arrow" />
          <span className="visually-hidden">{t('changed to')}</span>
        </>
      )}
      {after !== null && <ShownValue {...after} />}
    </>
  )
}

function ShownValue({ text, color }: Value) {
  return (
    <span className="audit-value">
      {color !== undefined && <ColorDot colors={[color]} />}
      <bdi>{text}</bdi>
    </span>
  )
}
