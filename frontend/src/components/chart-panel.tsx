import type { PlotlyHTMLElement } from 'plotly.js';
import { useCallback, useId, useRef, useState, type ReactNode } from 'react';
import { fileName, saveText, saveUrl, toCsv } from '../lib/csv';
import type { Figure } from '../lib/figure';
import type { Currency } from '../lib/format';
import { IconButton } from './button';
import { chartImage, PlotlyFigure, type ImageKind } from './plotly-figure';
import { MenuButton } from './popover';
import { Empty, Failed } from './query-state';
import { TwinTable } from './twin-table';
import styles from './chart-panel.module.css';

interface ChartPanelProps {
  /** What the panel is about, where the figure's title says what it finds. */
  name: string;
  figure: Figure | null;
  height?: number;
  held?: boolean;
  revision?: number;
  currency?: Currency;
  /** Why there is nothing to draw, when the figure is null. */
  empty?: string;
  controls?: ReactNode;
  className?: string;
}

/** A chart with its finding, its table twin and its downloads. */
export function ChartPanel(props: ChartPanelProps) {
  const { name, figure, height = 300, held, revision, currency, empty, controls } = props;
  const [asTable, setAsTable] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const element = useRef<PlotlyHTMLElement | null>(null);
  const keep = useCallback((drawn: PlotlyHTMLElement | null) => {
    element.current = drawn;
  }, []);
  const id = useId();

  const saveImage = (kind: ImageKind) => {
    if (!element.current) return;
    chartImage(element.current, kind).then(
      (url) => saveUrl(`${fileName(name)}.${kind}`, url),
      (reason: unknown) => setError(reason),
    );
  };

  return (
    <section className={`${styles.panel} ${props.className ?? ''}`} aria-labelledby={id}>
      <header className={styles.head}>
        <div className={styles.titles}>
          <p className="muted small">{name}</p>
          <h3 id={id}>{figure?.title ?? name}</h3>
        </div>
        {figure && (
          <div className={styles.actions}>
            <IconButton
              small
              icon={asTable ? 'chart' : 'table'}
              label={asTable ? `${name}: show the chart` : `${name}: show as a table`}
              onClick={() => setAsTable(!asTable)}
            />
            <MenuButton small label={`${name}: download`} icon="download" look="quiet">
              <button
                type="button"
                onClick={() => saveText(`${fileName(name)}.csv`, toCsv(figure.table), 'text/csv')}
              >
                Values as CSV
              </button>
              <button type="button" disabled={asTable} onClick={() => saveImage('png')}>
                Picture as PNG
              </button>
              <button type="button" disabled={asTable} onClick={() => saveImage('svg')}>
                Drawing as SVG
              </button>
            </MenuButton>
          </div>
        )}
      </header>
      {controls && <div className={styles.controls}>{controls}</div>}
      <div className={styles.body} style={{ minHeight: height + 8 }}>
        {error != null && (
          <Failed error={error} minHeight={height} onRetry={() => setError(null)} />
        )}
        {error == null && !figure && <Empty minHeight={height}>{empty}</Empty>}
        {error == null && figure && asTable && (
          <TwinTable table={figure.table} caption={name} height={height} currency={currency} />
        )}
        {error == null && figure && !asTable && (
          <div role="figure" aria-label={`${name}. ${figure.summary}`}>
            <PlotlyFigure
              figure={figure}
              height={height}
              held={held}
              revision={revision}
              onElement={keep}
              onError={setError}
            />
          </div>
        )}
      </div>
    </section>
  );
}
