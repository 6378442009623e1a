import { createContext, type ReactNode } from 'react';
import type { Design } from '../../lib/types';

/** What is drawn above the form of a design; the app says it, since other features draw. */
export const DesignDrawing = createContext<((design: Design) => ReactNode) | null>(null);
