import type { Token } from 'markdown-it'
import type { Block, Inline, Style } from './nodes.ts'

/** Builds the tree of blocks from the opening and closing tokens of the parser. */
export function blocksOf(tokens: readonly Token[]): Block[] {
  return blocksIn(treesOf(tokens))
}

interface Tree {
  readonly token: Token
  readonly children: Tree[]
}

function treesOf(tokens: readonly Token[]): Tree[] {
  const roots: Tree[] = []
  const open: Tree[][] = [roots]
  for (const token of tokens) addToken(token, open)
  return roots
}

/** Adds a token to the innermost open node. An opening token opens a node, which its closing token ends. */
function addToken(token: Token, open: Tree[][]): void {
  if (token.nesting === -1) {
    open.pop()
    return
  }
  const tree: Tree = { token, children: [] }
  open.at(-1)?.push(tree)
  if (token.nesting === 1) open.push(tree.children)
}

function blocksIn(trees: readonly Tree[]): Block[] {
  let end: number | undefined
  return trees.flatMap((tree): Block[] => {
    const [from, to] = tree.token.map ?? [0, 0]
    const gap = end === undefined ? 0 : Math.max(0, from - end)
    end = to - trailingLines(tree)
    const block = blockOf(tree)
    return block === undefined ? [] : [{ gap, ...block }]
  })
}

/** Counts the empty lines after a list, which the parser includes in the list's range. */
function trailingLines({ token, children }: Tree): number {
  const last = children.at(-1)
  if (!['bullet_list_open', 'ordered_list_open', 'list_item_open'].includes(token.type)) return 0
  if (last === undefined) return 0
  const inner = (token.map?.[1] ?? 0) - (last.token.map?.[1] ?? 0)
  return Math.max(0, inner) + trailingLines(last)
}

type Ungapped<T> = T extends unknown ? Omit<T, 'gap'> : never

function blockOf(tree: Tree): Ungapped<Block> | undefined {
  const { token, children } = tree
  switch (token.type) {
    case 'paragraph_open':
      return { kind: 'paragraph', children: lineOf(children) }
    case 'heading_open':
      return { kind: 'heading', level: token.markup.length, children: lineOf(children) }
    case 'blockquote_open':
      return { kind: 'quote', blocks: blocksIn(children) }
    case 'bullet_list_open':
      return { kind: 'list', start: null, items: itemsOf(children) }
    case 'ordered_list_open':
      return { kind: 'list', start: Number(token.attrGet('start') ?? 1), items: itemsOf(children) }
    case 'fence':
      return { kind: 'fence', language: token.info.toLowerCase(), text: token.content }
    default:
      return undefined
  }
}

function itemsOf(items: readonly Tree[]): Block[][] {
  return items.map(({ children }) => blocksIn(children))
}

function lineOf(children: readonly Tree[]): Inline[] {
  return children.flatMap(({ token }) => inlinesIn(treesOf(token.children ?? [])))
}

function inlinesIn(trees: readonly Tree[]): Inline[] {
  return trees.flatMap((tree) => inlineOf(tree) ?? [])
}

function inlineOf({ token, children }: Tree): Inline | readonly Inline[] | undefined {
  const style = styleOf(token)
  if (style !== undefined) return { kind: style, children: inlinesIn(children) }
  const { type, content } = token
  switch (type) {
    case 'text':
      return content === '' ? undefined : { kind: 'text', text: content }
    case 'softbreak':
    case 'hardbreak':
      return { kind: 'break' }
    case 'code_inline':
      return { kind: 'code', text: content }
    case 'everyone':
      return { kind: 'everyone', text: content }
    case 'emoji':
      return { kind: 'emoji', id: content, name: token.info }
    case 'user':
    case 'role':
    case 'room':
      return { kind: type, id: content }
    case 'link_open':
      return linkOf(token, inlinesIn(children))
    default:
      return undefined
  }
}

/** Returns a link, or the plain text if its URL is empty. */
function linkOf(token: Token, children: readonly Inline[]): Inline | readonly Inline[] {
  const href = String(token.attrGet('href') ?? '')
  if (href === '') return [{ kind: 'text', text: '[' }, ...children, { kind: 'text', text: ']()' }]
  return { kind: 'link', href, isMasked: !['address', 'autolink'].includes(token.markup), children }
}

const STYLES: Readonly<Record<string, Style>> = {
  em_open: 'italic',
  strong_open: 'bold',
  s_open: 'strike',
  spoiler_open: 'spoiler',
}

/** Two underscores underline, as in other chats. Two asterisks are bold. */
function styleOf({ type, markup }: Token): Style | undefined {
  return markup === '__' ? 'underline' : STYLES[type]
}
