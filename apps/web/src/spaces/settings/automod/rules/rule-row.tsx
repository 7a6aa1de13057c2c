import type { AutomodMode, AutomodRule } from '@foyer/protocol/automod'
import { Automod } from '@foyer/sdk/api/automod'
import { Pencil, Trash2 } from 'lucide-react'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { ErrorLine } from '#src/ui/loading/error-line.tsx'
import { automodWords } from '../automod-words.ts'
import { ConfirmBroad } from '../editor/confirm-broad.tsx'
import { useTurningOn } from '../editor/use-turning-on.ts'
import { useRoomNames } from '../use-room-names.ts'
import { ModeChip } from './mode-chip.tsx'
import { consequenceTexts, triggerText } from './rule-texts.ts'

interface RuleRowProps {
  spaceId: string
  rule: AutomodRule
  /** True if the user comes back from the rule's editor. */
  isFocused: boolean
  /** Receives the focus after the rule is deleted. */
  focusAfter: RefObject<HTMLElement | null>
  onEdit: () => void
  onSaved: (rule: AutomodRule) => void
  onDeleted: (ruleId: string) => void
}

/** A rule in the list, with its mode. */
export function RuleRow(props: RuleRowProps) {
  const { spaceId, rule, isFocused, focusAfter, onEdit, onSaved, onDeleted } = props
  const { client } = useSession()
  const edit = useRef<HTMLButtonElement>(null)
  const switching = useAction(automodWords)
  const turningOn = useTurningOn(spaceId)
  const nameOfRoom = useRoomNames(spaceId)
  const { name, trigger, exempt_role_ids, exempt_room_ids } = rule

  useLayoutEffect(() => {
    if (isFocused) edit.current?.focus()
  }, [isFocused])

  function switchTo(mode: AutomodMode) {
    const save = async () => onSaved(await client.api(Automod).updateRule(spaceId, rule.id, { mode }))
    switching.run(() => turningOn.save(mode, { trigger, exempt_role_ids, exempt_room_ids }, save))
  }

  return (
    <li className="settings-row automod-rule">
      <div className="automod-caught-texts">
        <strong className="settings-name" dir="auto">
          {name}
        </strong>
        <span className="settings-note">{triggerText(trigger)}</span>
        <span className="settings-note">{consequenceTexts(rule, nameOfRoom).join(' · ')}</span>
      </div>
      <span className="settings-actions">
        <ModeChip name={name} mode={rule.mode} isPending={switching.pending} onChange={switchTo} />
        <IconButton ref={edit} label={t('Edit {name}', { name })} icon={<Pencil />} onClick={onEdit} />
        <DeleteRule rule={rule} focusAfter={focusAfter} onDeleted={onDeleted} />
      </span>
      <ErrorLine message={switching.error} />
      <ConfirmBroad broad={turningOn.broad} cancel={turningOn.cancel} />
    </li>
  )
}

function DeleteRule({
  rule,
  focusAfter,
  onDeleted,
}: Pick<RuleRowProps, 'rule' | 'focusAfter' | 'onDeleted'>) {
  const { client } = useSession()
  const [open, setOpen] = useState(false)
  const { name } = rule

  async function remove() {
    await client.api(Automod).deleteRule(rule.space_id, rule.id)
    onDeleted(rule.id)
  }

  return (
    <>
      <IconButton label={t('Delete {name}', { name })} icon={<Trash2 />} onClick={() => setOpen(true)} />
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t('Delete {name}?', { name })}
        action={t('Delete rule')}
        run={remove}
        words={automodWords}
        focusAfter={focusAfter}
      >
        <p>{t('AutoMod will no longer catch what this rule looks for. This can’t be undone.')}</p>
      </Confirm>
    </>
  )
}
