import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** Renders the replacement. Its argument tries again. */
  fallback: (retry: () => void) => ReactNode
  children: ReactNode
}

/** Confines a rendering error to this part of the page. */
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
