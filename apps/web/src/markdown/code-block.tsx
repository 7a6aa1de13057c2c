import { Check, Copy } from 'lucide-react'
import { memo } from 'react'
import { t } from '#src/language/texts.ts'
import { useCopy } from '#src/ui/buttons/use-copy.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import './code-block.css'
import type { CodeNode } from './highlight.ts'
import { languageName } from './languages.ts'
import { useHighlighted } from './use-highlighted.ts'

/** Highlighted code with a copy button. */
export const CodeBlock = memo(function CodeBlock({ language, text }: { language: string; text: string }) {
  const nodes = useHighlighted(language, text)
  const tabIndex = useRowPart()
  return (
    <div className="code-block">
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        role="group"
        className="code-scroller"
        tabIndex={tabIndex}
        aria-label={language === '' ? t('Code') : t('Code, {language}', { language: languageName(language) })}
      >
        <pre>
          <code>{nodes === null ? text : <CodeNodes nodes={nodes} />}</code>
        </pre>
      </div>
      <CopyButton text={text} />
    </div>
  )
})

function CopyButton({ text }: { text: string }) {
  const { copied, error, copy, forget } = useCopy()
  const isCopied = copied !== null
  const tabIndex = useRowPart()
  return (
    <>
      <button
        type="button"
        className="code-copy"
        tabIndex={tabIndex}
        aria-label={isCopied ? t('Copied') : t('Copy code')}
        title={isCopied ? t('Copied') : t('Copy code')}
        onClick={() => copy(text)}
        onBlur={forget}
        onPointerLeave={forget}
      >
        {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      </button>
      {error !== null && (
        <p role="alert" className="form-error">
          {error}
        </p>
      )}
    </>
  )
}

function CodeNodes({ nodes }: { nodes: readonly CodeNode[] }) {
  return nodes.map((node, index) =>
    typeof node === 'string' ? (
      node
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
      <span key={index} className={node.scope === '' ? undefined : `code-${node.scope}`}>
        <CodeNodes nodes={node.children} />
      </span>
    ),
  )
}
