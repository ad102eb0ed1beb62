/**
 * The table {@code [pfc]} of a configuration: {@link org.fibnuma.pfc.config.PfcTableReader} turns it into a
 * {@link org.fibnuma.pfc.config.PfcConfig}, {@link org.fibnuma.pfc.config.PfcCheck} says what in it cannot work.
 */
package org.fibnuma.pfc.config;
