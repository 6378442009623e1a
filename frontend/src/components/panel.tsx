import type { ReactNode } from 'react';

interface PanelProps {
  id: string;
  title: ReactNode;
  about?: ReactNode;
  /** What can be done with all of it, at the right of the title. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A part of a page that is named by its heading. */
export function Panel({ id, title, about, actions, children }: PanelProps) {
  const head = (
    <div>
      <h2 id={`${id}-title`}>{title}</h2>
      {about && <p className="muted">{about}</p>}
    </div>
  );
  return (
    <section className="panel" aria-labelledby={`${id}-title`}>
      {actions ? (
        <div className="line apart gap-8-16">
          {head}
          {actions}
        </div>
      ) : (
        head
      )}
      {children}
    </section>
  );
}
