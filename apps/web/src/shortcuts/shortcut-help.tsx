import { ArrowDown, ArrowUp } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import '#src/ui/marks/kbd.css'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { isApple } from './is-apple.ts'
import { keyLabel } from './key-label.ts'
import './shortcut-help.css'
import { type ShortcutGroup, shortcutGroups } from './shortcut-groups.ts'

/** The dialog that lists all shortcuts. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onOpenChange={onClose} title={t('Keyboard shortcuts')}>
      <div className="shortcut-help">
        {shortcutGroups.map((group) => (
          <Group key={group.title} group={group} />
        ))}
      </div>
    </Modal>
  )
}

function Group({ group }: { group: ShortcutGroup }) {
  const apple = isApple()
  return (
    <section>
      <h3>{group.title}</h3>
      <dl>
        {group.shortcuts.map(({ label, keys }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((chord) => (
                <span key={chord.join()} className="shortcut-chord">
                  {chord.map((key) => (
                    <kbd key={key}>
                      <KeyFace keyName={key} isApple={apple} />
                    </kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** A key. Arrows are icons, because not every font has them. */
function KeyFace({ keyName, isApple: apple }: { keyName: string; isApple: boolean }) {
  if (keyName === 'ArrowUp') return <ArrowUp aria-label={t('Arrow up')} />
  if (keyName === 'ArrowDown') return <ArrowDown aria-label={t('Arrow down')} />
  return keyLabel(keyName, apple)
}
