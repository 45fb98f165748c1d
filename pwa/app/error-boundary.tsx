import { Component, type ReactNode } from 'react';
import { type Location, useLocation } from 'react-router-dom';
import { ErrorPage } from './error-page.tsx';

/** Shows an error page in place of what could not be drawn, until another address is opened. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  return <BoundaryAt location={useLocation()}>{children}</BoundaryAt>;
}

interface BoundaryProps {
  location: Location;
  children: ReactNode;
}

interface BoundaryState {
  failure: { error: unknown } | null;
  location: Location;
}

class BoundaryAt extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null, location: this.props.location };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ location }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return location === state.location ? null : { failure: null, location };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure ? <ErrorPage error={failure.error} /> : this.props.children;
  }
}
