// Stylesheets are side-effect imports; the bundler links them.
declare module '*.css'

/** Address of a script that the bundler builds with everything it imports. */
declare module '*?worker&url' {
  const url: string
  export default url
}

interface ImportMeta {
  /** Set by the bundler. */
  readonly env: { readonly PROD: boolean }
}
