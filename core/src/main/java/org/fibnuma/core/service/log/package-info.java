/**
 * How log lines look, for a terminal or a file and for systemd's journal, and which are written. Logback begins at
 * {@link org.fibnuma.core.service.log.LogConfigurator} and is used in this package only.
 */
package org.fibnuma.core.service.log;
