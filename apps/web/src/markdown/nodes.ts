/** What stands in a line of a message. */
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
  /** Says something else than where it leads. */
  readonly isMasked: boolean
  readonly children: readonly Inline[]
}

/** What stands below one another in a message. `gap` is how many empty lines are before it. */
export type Block = { readonly gap: number } & (
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | ListNode
  | { readonly kind: 'fence'; readonly language: string; readonly text: string }
)

export interface ListNode {
  readonly kind: 'list'
  /** The number of the first item; null without numbers. */
  readonly start: number | null
  readonly items: readonly (readonly Block[])[]
}

/** Turns a message's text into what it shows. */
export type Parse = (text: string) => readonly Block[]

/** Those who do not see how a text is set read it so. */
export function plainText(nodes: readonly Inline[]): string {
  return nodes.map(textOf).join('')
}

function textOf(node: Inline): string {
  if ('children' in node) return plainText(node.children)
  if ('text' in node) return node.text
  if (node.kind === 'emoji') return `:${node.name}:`
  return node.kind === 'break' ? '\n' : ''
}
