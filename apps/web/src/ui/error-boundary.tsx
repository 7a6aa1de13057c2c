import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** What stands in the place of what broke; it is given what tries that again. */
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}

/** Keeps the rest of the page when a part of it breaks. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    const { fallback, children } = this.props
    return this.state.isBroken ? fallback(() => this.setState({ isBroken: false })) : children
  }
}
