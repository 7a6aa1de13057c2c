const STEP = 256

/** A growing trie of words made of symbols. Nodes are numbers; a node's children are a linked list sorted by symbol. */
export class Trie {
  symbols: Int32Array<ArrayBuffer>
  firstChildren: Int32Array<ArrayBuffer>
  siblings: Int32Array<ArrayBuffer>
  /** Number of nodes. Node 0 is the root. It is never a child, so 0 also ends lists. */
  size = 1

  /** @param nodes expected number of nodes. Memory that stays unused costs nothing */
  constructor(nodes: number) {
    const capacity = nodes + 2
    this.symbols = new Int32Array(capacity)
    this.firstChildren = new Int32Array(capacity)
    this.siblings = new Int32Array(capacity)
  }

  /** Returns the node at which the word ends. */
  insert(word: readonly number[]): number {
    let node = 0
    for (const symbol of word) node = this.#childOf(node, symbol)
    return node
  }

  #childOf(node: number, symbol: number): number {
    let before = 0
    let child = this.firstChildren[node] ?? 0
    while (child !== 0 && (this.symbols[child] ?? 0) < symbol) {
      before = child
      child = this.siblings[child] ?? 0
    }
    if (child !== 0 && this.symbols[child] === symbol) return child
    const added = this.#add(symbol, child)
    if (before === 0) this.firstChildren[node] = added
    else this.siblings[before] = added
    return added
  }

  #add(symbol: number, next: number): number {
    if (this.size === this.symbols.length) this.#grow()
    const node = this.size
    this.size += 1
    this.symbols[node] = symbol
    this.siblings[node] = next
    return node
  }

  #grow(): void {
    const capacity = this.symbols.length * 2
    this.symbols = copyOf(this.symbols, new Int32Array(capacity))
    this.firstChildren = copyOf(this.firstChildren, new Int32Array(capacity))
    this.siblings = copyOf(this.siblings, new Int32Array(capacity))
  }
}

/** Lists the nodes by depth; children of one node are adjacent. */
export function* breadthFirst(trie: Trie): Generator<undefined, Int32Array> {
  const order = new Int32Array(trie.size)
  let end = 1
  for (let index = 0; index < trie.size; index += 1) {
    let child = trie.firstChildren[order[index] ?? 0] ?? 0
    while (child !== 0) {
      order[end] = child
      end += 1
      child = trie.siblings[child] ?? 0
    }
    if (index % STEP === 0) yield
  }
  return order
}

function copyOf(from: Int32Array, to: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  to.set(from)
  return to
}
