import type { Emitter } from 'highlight.js'
import highlighter from 'highlight.js/lib/core'
import { loadGrammar } from './grammars.ts'

/** Plain text, or a span with a scope: `keyword`, `string`, … */
export type CodeNode = string | Span

interface Span {
  readonly scope: string
  readonly children: CodeNode[]
}

/** Highlights code in a language of `languages.ts`. */
export async function highlight(id: string, text: string): Promise<readonly CodeNode[]> {
  const grammar = highlighter.getLanguage(id) === undefined ? await loadGrammar(id) : undefined
  if (grammar !== undefined) highlighter.registerLanguage(id, grammar)
  const { _emitter } = highlighter.highlight(text, { language: id, ignoreIllegals: true })
  return _emitter instanceof CodeTree ? _emitter.root.children : [text]
}

/** Builds a tree of spans. It replaces the library's emitter, which builds HTML. */
class CodeTree implements Emitter {
  readonly root: Span = { scope: '', children: [] }
  readonly #open: Span[] = [this.root]

  addText(text: string): void {
    if (text !== '') this.#open.at(-1)?.children.push(text)
  }

  openNode(name: string): void {
    const span: Span = { scope: name.split(/[. ]/)[0] ?? '', children: [] }
    this.#open.at(-1)?.children.push(span)
    this.#open.push(span)
  }

  closeNode(): void {
    if (this.#open.length > 1) this.#open.pop()
  }

  startScope(name: string): void {
    this.openNode(name)
  }

  endScope(): void {
    this.closeNode()
  }

  __addSublanguage(emitter: Emitter): void {
    if (emitter instanceof CodeTree) this.#open.at(-1)?.children.push(emitter.root)
  }

  /** Required by the interface, but unused. */
  toHTML(): string {
    return ''
  }

  finalize(): void {}
}

highlighter.configure({ __emitter: CodeTree })
