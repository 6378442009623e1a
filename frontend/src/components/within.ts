import { createContext } from 'react';

/** The window that a popover or a menu opens in: beside it, nothing scrolls. */
export const Within = createContext<HTMLElement | null>(null);
