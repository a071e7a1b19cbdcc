// adapter.mjs
import { serve } from './lines.mjs';

serve({
  describe: () => ({
    answer: 'described',
    name: 'my client',
    version: '0.1.0',
    products: ['uprising'],
  }),
});
