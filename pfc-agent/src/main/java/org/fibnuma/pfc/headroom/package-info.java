/**
 * The bytes that arrive after a pause is sent, by our own formula and by published ones, and the thresholds that a
 * memory of a given size allows.
 */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.headroom;
