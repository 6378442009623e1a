import { useEffect } from 'react';

/**
 * Takes the code of a sign-in link out of the address where somebody is signed in already: it is
 * not used, and neither history nor a bookmark keeps it.
 */
export function useNoCodeInAddress(): void {
  useEffect(() => {
    const takeOut = () => {
      if (!new URLSearchParams(location.hash.slice(1)).has('code')) return;
      history.replaceState(history.state, '', location.pathname + location.search);
    };
    takeOut();
    window.addEventListener('hashchange', takeOut);
    return () => window.removeEventListener('hashchange', takeOut);
  }, []);
}
