import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IconButton } from '../button';
import listStyles from '../catalogue-list.module.css';
import { Dialog } from '../dialog';
import { Empty, Failed, Loading } from '../query-state';
import { regionPricesQueryOptions } from '../../lib/catalogue';
import { date, quantity } from '../../lib/format';
import type { Json, JsonObject } from '../../lib/pointer';
import type { JsonSchema } from '../../lib/schema';
import { useForm } from './form-context';
import { entriesIn, planFilling, plansOf, type HeldPlan } from './plans';

/** Whether a group is a commitment, which the prices of a plan fill. */
export const takesPlans = ({ properties = {} }: JsonSchema) =>
  properties.plan !== undefined && properties.prices !== undefined;

const text = (value: Json | undefined) => (typeof value === 'string' ? value : '');

function PlanLines({
  document,
  onTake,
}: {
  document: JsonObject;
  onTake: (plan: HeldPlan) => void;
}) {
  const region = text(document.region);
  const wanted = {
    provider: text(document.provider) || 'aws',
    region,
    entries: entriesIn(document),
  };
  const { currency } = useForm();
  const query = useQuery({ ...regionPricesQueryOptions(wanted), enabled: region !== '' });
  if (region === '') return <Empty>Choose the region first: plans are priced by region.</Empty>;
  if (query.isPending) return <Loading minHeight={240} lines={8} />;
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  const plans = plansOf(document, query.data);
  if (plans.length === 0) {
    return (
      <Empty>
        The catalogue holds no prices of plans for these instances in {query.data.title || region}.
        Import the provider’s price list, or that of its savings plans.
      </Empty>
    );
  }
  return (
    <div className={listStyles.entries}>
      {plans.map((plan) => (
        <button
          key={plan.title}
          type="button"
          className={listStyles.entry}
          onClick={() => onTake(plan)}
        >
          <span>{plan.title}</span>
          <span className="muted small num">
            {plan.prices
              .map(
                ({ name, price }) =>
                  `${name} ${quantity(Number(price.value), price.unit, currency)}`,
              )
              .join(' · ')}{' '}
            · {date(plan.prices[0]?.price.as_of)}
          </span>
        </button>
      ))}
    </div>
  );
}

/** Fills a commitment with the prices of a plan, of each instance that has one in the region. */
export function PlanPicker({ pointer }: { pointer: string }) {
  const form = useForm();
  const [open, setOpen] = useState(false);
  const take = (plan: HeldPlan) => {
    setOpen(false);
    const { values, origins } = planFilling(pointer, plan);
    form.fill(values, origins);
  };
  return (
    <>
      <IconButton
        small
        icon="table"
        label="Take the prices of a plan"
        onClick={() => setOpen(true)}
      />
      {open && (
        <Dialog title="Take the prices of a plan" width={680} onClose={() => setOpen(false)}>
          <PlanLines document={form.held()} onTake={take} />
        </Dialog>
      )}
    </>
  );
}
