/**
 * The table {@code [pfc]} of a configuration: {@link org.fibnuma.pfc.config.PfcTableReader} reads it into a
 * {@link org.fibnuma.pfc.config.PfcConfig}, {@link org.fibnuma.pfc.config.PfcCheck} finds settings that cannot work.
 */
@org.fibnuma.core.Internal
package org.fibnuma.pfc.config;
