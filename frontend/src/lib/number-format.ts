import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body } from './api';
import { setNumberFormat, type NumberFormat } from './typed-number';

const taken = ({ number_format }: { number_format: NumberFormat }) => {
  setNumberFormat(number_format);
  return number_format;
};

/** How who is signed in writes numbers: what they type is read so from then on. */
export const numberFormatQueryOptions = queryOptions({
  queryKey: ['number-format'],
  queryFn: async () =>
    taken(await body<{ number_format: NumberFormat }>(api.GET('/api/v1/number-format'))),
  staleTime: 5 * 60_000,
});

export function useChooseNumberFormat() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (number_format: NumberFormat) =>
      body<{ number_format: NumberFormat }>(
        api.PUT('/api/v1/number-format', { body: { number_format } }),
      ),
    onSuccess: (found) => client.setQueryData(numberFormatQueryOptions.queryKey, taken(found)),
  });
}
