/** Types for the package, which has none of its own. */
declare module 'microdata-node' {
  /** An item, in the JSON form of the HTML standard: https://html.spec.whatwg.org/multipage/microdata.html#json. */
  export interface MicrodataItem {
    readonly type?: readonly string[]
    readonly properties: Readonly<Record<string, readonly (string | MicrodataItem)[]>>
  }

  /** Returns the top-level items of a page. */
  export function toJson(
    html: string,
    options: { base: string },
  ): { readonly items: readonly MicrodataItem[] }
}
