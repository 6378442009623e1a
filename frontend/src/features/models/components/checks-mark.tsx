import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../../components/icon';
import { checksQueryOptions } from '../../../lib/models';
import styles from './models.module.css';

/** How many published checks of a model hold, run when the line comes into view. */
export function ChecksMark({ model, count }: { model: string; count: number }) {
  const ref = useRef<HTMLSpanElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const checks = useQuery({ ...checksQueryOptions(model), enabled: seen && count > 0 }).data;
  if (count === 0)
    return (
      <span ref={ref} className="muted">
        no published figures
      </span>
    );
  if (!checks) {
    return (
      <span ref={ref} className="muted">
        {count === 1 ? '1 check' : `${count} checks`} …
      </span>
    );
  }
  const now = checks.filter((check) => !check.measured);
  const good = now.filter((check) => check.ok).length;
  const isGood = good === now.length;
  return (
    <span ref={ref} className={`${styles.mark} ${isGood ? 'good' : 'fault'}`}>
      <Icon name={isGood ? 'check' : 'warning'} size={14} />
      {good} of {now.length} hold
    </span>
  );
}
