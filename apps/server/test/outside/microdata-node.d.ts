/** The package has no types. */
declare module 'microdata-node' {
  /** An item, in the form of the HTML standard: https://html.spec.whatwg.org/multipage/microdata.html#json. */
  export interface MicrodataItem {
    readonly type?: readonly string[]
    readonly properties: Readonly<Record<string, readonly (string | MicrodataItem)[]>>
  }

  /** Finds the items of a page that are in no other one. */
  export function toJson(
    html: string,
    options: { base: string },
  ): { readonly items: readonly MicrodataItem[] }
}
