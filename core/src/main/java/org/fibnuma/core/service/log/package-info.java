/**
 * Format of log lines, for a terminal or a file and for systemd's journal, and their level. Logback calls
 * {@link org.fibnuma.core.service.log.LogConfigurator} and is used in this package only.
 */
@org.fibnuma.core.Internal
package org.fibnuma.core.service.log;
