/** Inline content of a message. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: Style; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | LinkNode
  | { readonly kind: 'user' | 'role' | 'room'; readonly id: string }
  | { readonly kind: 'everyone'; readonly text: string }
  | { readonly kind: 'emoji'; readonly id: string; readonly name: string }

export type Style = 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'

export interface LinkNode {
  readonly kind: 'link'
  readonly href: string
  /** True if the text of the link is not its URL. */
  readonly isMasked: boolean
  readonly children: readonly Inline[]
}

/** Block of a message. `gap` is the number of empty lines before it. */
export type Block = { readonly gap: number } & (
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | ListNode
  | { readonly kind: 'fence'; readonly language: string; readonly text: string }
)

export interface ListNode {
  readonly kind: 'list'
  /** Number of the first item; null for a bullet list. */
  readonly start: number | null
  readonly items: readonly (readonly Block[])[]
}

export type Parse = (text: string) => readonly Block[]

type Replace = (node: Inline) => string | undefined

/**
 * Returns the text without formatting, for labels and comparisons.
 * @param replace returns another text for a node, or undefined to keep its own
 */
export function plainText(nodes: readonly Inline[], replace?: Replace): string {
  return nodes.map((node) => replace?.(node) ?? textOf(node, replace)).join('')
}

function textOf(node: Inline, replace: Replace | undefined): string {
  if ('children' in node) return plainText(node.children, replace)
  if ('text' in node) return node.text
  if (node.kind === 'emoji') return `:${node.name}:`
  return node.kind === 'break' ? '\n' : ''
}
