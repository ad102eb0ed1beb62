/** Line plots as SVG text: without AWT, which needs fonts that servers do not have, and the same bytes every time. */
package org.fibnuma.pfc.plot;
