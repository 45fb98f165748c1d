import { z } from 'zod';

// Zod tries `new Function` to compile its parsers; the security policy refuses that and the console would say so.
z.config({ jitless: true });
