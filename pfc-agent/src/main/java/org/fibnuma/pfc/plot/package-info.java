/** Line plots as SVG text, without AWT, which needs fonts that servers lack; the output is reproducible. */
package org.fibnuma.pfc.plot;
