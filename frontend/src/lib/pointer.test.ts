import { differences, join, read, write, type JsonObject } from './pointer';

const groups = [{ name: 'x', cores: 4 }];
const document: JsonObject & { designs: JsonObject[] } = {
  designs: [
    { letter: 'A', price: 1 },
    { letter: 'D', staff_fte: 2, groups },
  ],
  'a/b': { '~': 1 },
};

describe('JSON pointers', () => {
  it('read lists by index, and designs by letter', () => {
    expect(read(document, '/designs/D/groups/0/cores')).toBe(4);
    expect(read(document, '/designs/0/price')).toBe(1);
    expect(read(document, '/designs/C/price')).toBeUndefined();
  });

  it('escape what RFC 6901 says', () => {
    expect(read(document, join(join('', 'a/b'), '~'))).toBe(1);
  });

  it('write one place and share the rest', () => {
    const changed = write(document, '/designs/D/staff_fte', 3) as typeof document;
    expect(read(changed, '/designs/D/staff_fte')).toBe(3);
    expect(changed.designs[0]).toBe(document.designs[0]);
    expect(document.designs[1]?.staff_fte).toBe(2);
  });

  it('make the groups on the way, and take a place away', () => {
    expect(write({}, '/racks/price', 5)).toEqual({ racks: { price: 5 } });
    expect(write({ racks: { price: 5, count: 1 } }, '/racks/price', undefined)).toEqual({
      racks: { count: 1 },
    });
    expect(write({ list: [1, 2, 3] }, '/list/1', undefined)).toEqual({ list: [1, 3] });
  });

  it('leave a document alone where a design is not there', () => {
    expect(write(document, '/designs/H/price', 5)).toEqual(document);
  });

  it('tell where two documents differ', () => {
    const after = write(document, '/designs/D/groups/0/cores', 8);
    expect(differences(document, after)).toEqual([
      { pointer: '/designs/1/groups/0/cores', before: 4, after: 8 },
    ]);
  });
});
