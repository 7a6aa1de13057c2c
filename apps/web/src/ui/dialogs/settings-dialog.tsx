import { Dialog } from '@base-ui/react/dialog'
import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '../buttons/icon-button.tsx'
import { Confirm } from './confirm.tsx'
import './modal.css'
import { SectionLinksContext } from './section-links.ts'
import './settings-dialog.css'
import { FocusFallback } from '../focus/use-focus-after.ts'
import { Skeleton } from '../loading/skeleton.tsx'
import { Count } from '../marks/count.tsx'
import { useMediaQuery, WIDE } from '../use-media-query.ts'
import { LeavingContext } from './unsaved-changes.ts'
import { useLeaving } from './use-leaving.ts'

export interface SectionMark {
  readonly count: number
  readonly text: string
}

export interface SettingsSection {
  readonly id: string
  readonly label: string
  readonly icon: ReactNode
  /** Number badge after the label, with a sentence for screen readers. */
  readonly mark?: SectionMark | undefined
  /** Shown below a heading with the label while the section is selected. */
  readonly content: ReactNode
}

interface SettingsDialogProps {
  title: string
  /** Shown before the title. */
  picture?: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Sections the user can access. The first one is selected initially. */
  sections: readonly SettingsSection[]
  /** Section selected initially, also on phones. */
  initialId?: string | undefined
  /** Called when the user opens a section. */
  onChoose?: (id: string) => void
}

/**
 * Full-screen settings: a list of sections, and the selected one next to it. Phones show either the list or a section. Asks
 * before discarding unsaved changes (`useUnsavedChanges`).
 */
export function SettingsDialog(props: SettingsDialogProps) {
  const { title, picture, open, onOpenChange, sections, initialId, onChoose } = props
  const { leaving, asks, stay, discard } = useLeaving()
  const chosen = useRef<HTMLButtonElement>(null)
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : leaving.attempt(() => onOpenChange(false)))}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="modal-backdrop" />
        <Dialog.Popup className="settings" initialFocus={chosen}>
          <LeavingContext value={leaving}>
            <SettingsPanes
              title={title}
              picture={picture}
              sections={sections}
              initialId={initialId}
              onChoose={onChoose}
              chosenButton={chosen}
              leave={leaving.attempt}
            />
          </LeavingContext>
          <Confirm
            open={asks}
            onOpenChange={stay}
            title={t('Discard your changes?')}
            action={t('Discard changes')}
            run={discard}
          >
            <p>{t('Your changes haven’t been saved yet.')}</p>
          </Confirm>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface SettingsPanesProps {
  title: string
  picture: ReactNode
  sections: readonly SettingsSection[]
  initialId: string | undefined
  onChoose: ((id: string) => void) | undefined
  chosenButton: RefObject<HTMLButtonElement | null>
  leave: (go: () => void) => void
}

/** True if a dialog above the settings has the focus. It keeps the focus, for example when the user turns their phone. */
function isInAnotherDialog(focused: Element | null, to: Element | null): boolean {
  const dialog = focused?.closest('[role="dialog"], [role="alertdialog"]') ?? null
  return dialog !== null && !dialog.contains(to)
}

function SettingsPanes(props: SettingsPanesProps) {
  const { title, picture, sections, initialId, onChoose, chosenButton, leave } = props
  const isWide = useMediaQuery(WIDE)
  const [chosenId, setChosenId] = useState(initialId ?? sections[0]?.id)
  const [isEntered, setIsEntered] = useState(initialId !== undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  // A change of permissions may remove the shown section.
  const chosen = sections.find(({ id }) => id === chosenId)
  const shown = isWide ? (chosen ?? sections[0]) : isEntered ? chosen : undefined
  const shownId = shown?.id

  // On phones the focused element disappears when the view changes.
  useEffect(() => {
    const to = (shownId === undefined ? chosenButton : heading).current
    if (!isWide && !isInAnotherDialog(document.activeElement, to)) to?.focus()
  }, [isWide, shownId, chosenButton])

  function choose(id: string) {
    leave(() => {
      setChosenId(id)
      setIsEntered(true)
      onChoose?.(id)
    })
  }

  const links = { has: (id: string) => sections.some((section) => section.id === id), choose }

  return (
    <>
      <nav className="settings-nav" aria-label={title} hidden={!isWide && shown !== undefined}>
        <header className="settings-header">
          {picture}
          <Dialog.Title className="settings-title">{title}</Dialog.Title>
          {!isWide && <CloseButton />}
        </header>
        <ul>
          {sections.map(({ id, label, icon, mark }) => (
            <li key={id}>
              <button
                ref={id === (chosen ?? sections[0])?.id ? chosenButton : undefined}
                type="button"
                className="settings-link"
                aria-describedby={mark === undefined ? undefined : `settings-mark-${id}`}
                aria-current={id === shownId ? 'page' : undefined}
                onClick={() => choose(id)}
              >
                {icon}
                {label}
              </button>
              {mark !== undefined && <Mark id={id} mark={mark} />}
            </li>
          ))}
        </ul>
      </nav>
      {shown !== undefined && (
        <section className="settings-pane" aria-labelledby="settings-heading">
          <header className="settings-header">
            {!isWide && (
              <IconButton
                label={t('All settings')}
                icon={<ArrowLeft />}
                onClick={() => leave(() => setIsEntered(false))}
              />
            )}
            <h3 ref={heading} tabIndex={-1} id="settings-heading" className="settings-heading">
              {shown.label}
            </h3>
            <CloseButton />
          </header>
          <div key={shown.id} className="settings-content">
            <Suspense fallback={<Skeleton />}>
              <FocusFallback value={heading}>
                <SectionLinksContext value={links}>{shown.content}</SectionLinksContext>
              </FocusFallback>
            </Suspense>
          </div>
        </section>
      )}
    </>
  )
}

/** Badge next to a section's button, not inside it, so that the button's accessible name is only its label. */
function Mark({ id, mark: { count, text } }: { id: string; mark: SectionMark }) {
  return (
    <>
      <span className="settings-mark" aria-hidden="true">
        <Count count={count} isCalling />
      </span>
      <span id={`settings-mark-${id}`} className="visually-hidden">
        {text}
      </span>
    </>
  )
}

function CloseButton() {
  return <Dialog.Close render={<IconButton label={t('Close')} icon={<X />} />} />
}
