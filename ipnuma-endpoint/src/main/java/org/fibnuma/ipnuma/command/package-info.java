/**
 * {@code fibnuma ipnuma}: runs an endpoint, shows its state, and reads and writes remote memory in scripts.
 */
@org.fibnuma.core.Internal
package org.fibnuma.ipnuma.command;
