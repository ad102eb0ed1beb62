/**
 * How many bytes still arrive after a pause was decided, by our own terms and by formulas that others published, and
 * which thresholds a memory of some size allows.
 */
package org.fibnuma.pfc.headroom;
