/** Line plots as SVG text, without AWT, which needs fonts that servers lack; the output is reproducible. */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.plot;
