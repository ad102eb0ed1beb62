/**
 * {@code fibnuma ipnuma}: runs an endpoint, shows its state, and reads and writes remote memory in scripts.
 */
package org.fibnuma.ipnuma.command;
