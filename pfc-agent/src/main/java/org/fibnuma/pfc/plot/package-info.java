/** Plots as SVG, drawn by XChart. Letters become outlines of the fonts of the machine, which AWT has to find. */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.plot;
