import type { PlotlyHTMLElement } from 'plotly.js';
import { useCallback, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { fileName, saveText, saveUrl, toCsv } from '../lib/csv';
import type { Figure } from '../lib/figure';
import { USD, type Currency } from '../lib/format';
import { legendOf } from '../lib/legend';
import { IconButton } from './button';
import { ChartLegend } from './chart-legend';
import { chartImage, PlotlyFigure, type ImageKind } from './plotly-figure';
import { MenuButton, MenuItem } from './menu';
import { Empty, Failed } from './query-state';
import { useInView } from './use-in-view';
import { TwinTable } from './twin-table';
import styles from './chart-panel.module.css';

interface ChartPanelProps {
  /** What the panel is about, where the figure's title says what it finds. */
  name: string;
  /** What its amounts are, where the name does not say it. */
  measure?: string;
  /** Makes the figure; a new function means that there is something new to show. */
  build: () => Figure | null;
  height?: number;
  held?: boolean;
  revision?: number;
  currency?: Currency;
  /** Why there is nothing to draw, when there is no figure. */
  empty?: string;
  controls?: ReactNode;
  /** The controls beside the name, where height is dear. */
  isTight?: boolean;
  className?: string;
  /** A point of the chart was pressed, by its place on the axes. */
  onPoint?: (x: number, y: number) => void;
}

interface ActionsProps {
  name: string;
  figure: Figure;
  currency?: Currency;
  asTable: boolean;
  onTable: (asTable: boolean) => void;
  onImage: (kind: ImageKind) => void;
}

function Actions({ name, figure, currency, asTable, onTable, onImage }: ActionsProps) {
  const saveCsv = () =>
    saveText(`${fileName(name)}.csv`, toCsv(figure.table, currency ?? USD), 'text/csv');
  return (
    <div className="flex gap-2">
      <IconButton
        small
        icon={asTable ? 'chart' : 'table'}
        label={asTable ? `${name}: show the chart` : `${name}: show as a table`}
        onClick={() => onTable(!asTable)}
      />
      <MenuButton small label={`${name}: download`} icon="download" look="quiet">
        <MenuItem onSelect={saveCsv}>Values as CSV</MenuItem>
        <MenuItem disabled={asTable} onSelect={() => onImage('png')}>
          Picture as PNG
        </MenuItem>
        <MenuItem disabled={asTable} onSelect={() => onImage('svg')}>
          Drawing as SVG
        </MenuItem>
      </MenuButton>
    </div>
  );
}

/** The figure without what its legend has switched off. */
function useLegend(figure: Figure | null) {
  const [hidden, onHidden] = useState<ReadonlySet<string>>(() => new Set());
  const legend = useMemo(() => (figure ? legendOf(figure) : undefined), [figure]);
  const drawn = useMemo(() => {
    if (!figure || !legend) return figure;
    const data = hidden.size > 0 ? legend.without(hidden) : figure.data;
    return { ...figure, data, layout: { ...figure.layout, showlegend: false } };
  }, [figure, legend, hidden]);
  return { drawn, legend, hidden, onHidden };
}

interface BodyProps extends ChartPanelProps {
  figure: Figure | null;
  inView: boolean;
  height: number;
  asTable: boolean;
  onElement: (element: PlotlyHTMLElement | null) => void;
  onError: (error: unknown) => void;
}

function Body(props: BodyProps) {
  const { name, figure, height, held, revision, currency, empty, asTable } = props;
  const { drawn, legend, hidden, onHidden } = useLegend(figure);
  if (!figure || !drawn) return <Empty minHeight={height}>{empty}</Empty>;
  if (asTable) {
    return <TwinTable table={figure.table} caption={name} height={height} currency={currency} />;
  }
  return (
    <>
      {legend && <ChartLegend name={name} legend={legend} hidden={hidden} onHidden={onHidden} />}
      <div role="figure" aria-label={`${name}. ${figure.summary}`}>
        <PlotlyFigure
          figure={drawn}
          height={height}
          inView={props.inView}
          held={held}
          revision={revision}
          onElement={props.onElement}
          onError={props.onError}
        />
      </div>
    </>
  );
}

/** The figure; while it rests, as it was, however often there is something new. */
function useFigure(build: () => Figure | null, rests: boolean): Figure | null {
  const [wanted, setWanted] = useState(() => build);
  if (!rests && wanted !== build) setWanted(() => build);
  return useMemo(() => wanted(), [wanted]);
}

/** A chart with its finding, its table twin and its downloads. */
export function ChartPanel(props: ChartPanelProps) {
  const { name, measure, build, held = false, height = 300, controls, className = '' } = props;
  const { isTight = false } = props;
  const section = useRef<HTMLElement>(null);
  const inView = useInView(section);
  const figure = useFigure(build, held && !inView);
  const [asTable, setAsTable] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const element = useRef<PlotlyHTMLElement | null>(null);
  const onPoint = props.onPoint;
  const keep = useCallback(
    (drawn: PlotlyHTMLElement | null) => {
      element.current = drawn;
      if (!drawn || !onPoint) return;
      drawn.removeAllListeners('plotly_click');
      drawn.on('plotly_click', ({ points: [point] }) => {
        if (point) onPoint(Number(point.x), Number(point.y));
      });
    },
    [onPoint],
  );
  const id = useId();
  const saveImage = (kind: ImageKind) => {
    if (!element.current || !figure) return;
    chartImage(element.current, kind, legendOf(figure)).then(
      (url) => saveUrl(`${fileName(name)}.${kind}`, url),
      (reason: unknown) => setError(reason),
    );
  };
  return (
    <section ref={section} className={`${styles.panel} ${className}`} aria-labelledby={id}>
      <header className={styles.head}>
        <div className="shrink">
          <div className="line gap-4-12">
            <p className="muted small">{measure ? `${name}: ${measure.toLowerCase()}` : name}</p>
            {isTight && controls}
          </div>
          <h2 id={id} className="title">
            {figure?.title ?? name}
          </h2>
        </div>
        {figure && (
          <Actions
            name={name}
            figure={figure}
            currency={props.currency}
            asTable={asTable}
            onTable={setAsTable}
            onImage={saveImage}
          />
        )}
      </header>
      {controls && !isTight && <div className={styles.controls}>{controls}</div>}
      <div className={styles.body} style={{ minHeight: height + 8 }}>
        {error == null ? (
          <Body
            {...props}
            figure={figure}
            inView={inView}
            height={height}
            asTable={asTable}
            onElement={keep}
            onError={setError}
          />
        ) : (
          <Failed error={error} minHeight={height} onRetry={() => setError(null)} />
        )}
      </div>
    </section>
  );
}
