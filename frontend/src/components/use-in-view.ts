import { useEffect, useState, type RefObject } from 'react';

// What only peeps in at an edge, or lies under the bars that stay on top, is not looked at.
const MARGIN = '-90px 0px -60px';

/** Whether a good part of the element is on screen. */
export function useInView(ref: RefObject<Element | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return inView;
}
