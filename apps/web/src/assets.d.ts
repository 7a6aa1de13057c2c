// Stylesheets are side-effect imports; the bundler links them.
declare module '*.css'

interface ImportMeta {
  /** Set by the bundler. */
  readonly env: { readonly PROD: boolean }
}
